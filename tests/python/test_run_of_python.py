"""Runs that Python writes are read like those of the program, and the program reads them."""

import subprocess

import numpy as np
import pliant
import pytest
import runs


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The folder of a run of two tetrahedra that a program has put together, and where it ended."""
    scene = pliant.Scene(name="Two tetrahedra", duration=0.25)
    vertices = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], dtype=float)
    body = scene.add_body(name="pair", vertices=vertices, tets=[[0, 1, 2, 3], [1, 2, 3, 4]])
    body.hold([0])
    scene.add_obstacle(name="ground", shape={"kind": "plane"}, translate=[0, -0.5, 0])
    sim = scene.build()
    folder = tmp_path_factory.mktemp("written") / "out"
    sim.run(folder)
    return folder, vertices, sim


def test_it_holds_the_arrays_that_were_given(written):
    folder, vertices, sim = written
    run = pliant.Run(folder)
    assert run.is_finished and len(run) == 7
    np.testing.assert_array_equal(run.bodies["pair"].vertices, vertices)
    np.testing.assert_array_equal(run.bodies["pair"].tets, [[0, 1, 2, 3], [1, 2, 3, 4]])
    np.testing.assert_array_equal(run.frame(-1), sim.x.astype(np.float32))
    assert run.steps["total"][-1] == pytest.approx(sim.energies["total"], rel=1e-12)
    assert "Two tetrahedra" in run.scene and run.obstacles["ground"].unbounded


def test_the_program_shows_and_exports_it(written, tmp_path):
    folder, _, _ = written
    subprocess.run([runs.program(), "report", folder, "-o", tmp_path / "report.html"], check=True, capture_output=True)
    assert (tmp_path / "report.html").exists()
    subprocess.run([runs.program(), "export", folder, "--format", "vtu", "-o", tmp_path / "vtu"], check=True, capture_output=True)
    assert len(list((tmp_path / "vtu").glob("*.vtu"))) == 7


def test_it_is_being_written_while_it_is(tmp_path):
    scene = pliant.Scene(name="Short", duration=0.125)
    scene.add_body(shape={"kind": "box", "cells": [1, 1, 1]})
    seen = []

    def look(report):
        run = pliant.Run(tmp_path / "out")
        seen.append((run.is_running, run.status, len(run), len(run.steps)))

    scene.build().run(tmp_path / "out", on_step=look)
    assert seen == [(True, "running", k, k) for k in (1, 2, 3)]
    assert not pliant.Run(tmp_path / "out").is_running
