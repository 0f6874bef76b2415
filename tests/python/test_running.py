"""Runs from Python: their folders, what is called between steps, and how they end."""

import json
import os
import signal
import warnings

import numpy as np
import pliant
import pytest


def frames_of(folder):
    return [np.load(path) for path in sorted((folder / "frames").glob("*.npy"))]


def columns_without_seconds(folder):
    lines = (folder / "steps.csv").read_text().splitlines()
    keep = [i for i, name in enumerate(lines[0].split(",")) if not name.startswith("seconds")]
    return [[line.split(",")[i] for i in keep] for line in lines]


def test_a_run_writes_an_ordinary_folder(hanging, tmp_path):
    sim = hanging().build()
    folder = tmp_path / "bar"
    result = sim.run(folder)
    assert (result.status, result.exit_code, result.frames, result.steps) == ("completed", 0, 6, 6)
    frames = frames_of(folder)
    assert len(frames) == 7 and np.array_equal(frames[-1], sim.x.astype(np.float32))
    assert json.loads((folder / "summary.json").read_text())["status"] == "completed"
    assert sim.time == pytest.approx(0.25)


def test_a_run_begins_at_the_beginning(hanging, tmp_path):
    sim = hanging().build()
    sim.step()
    with pytest.raises(ValueError, match="begins at 0 s"):
        sim.run(tmp_path / "bar")
    sim.set_state(time=0)
    assert sim.run(tmp_path / "bar").frames == 6


def test_a_folder_with_a_run_is_not_overwritten_unless_asked(hanging, tmp_path):
    hanging().build().run(tmp_path / "bar", frames=1)
    with pytest.raises(ValueError, match="overwrite"):
        hanging().build().run(tmp_path / "bar")
    assert hanging().build().run(tmp_path / "bar", frames=2, overwrite=True).frames == 2


def test_a_run_is_told_of_and_ends_where_false_is_returned(hanging, tmp_path):
    sim = hanging().build()
    x, told = sim.x, []

    def on_step(report):
        told.append((report.time, x[:, 1].min()))
        return len(told) < 3

    result = sim.run(tmp_path / "bar", on_step=on_step)
    assert (result.status, result.exit_code, result.steps) == ("interrupted", 130, 3)
    assert [time for time, _ in told] == pytest.approx([1 / 24, 2 / 24, 3 / 24])
    assert told[0][1] > told[1][1] > told[2][1]


def test_a_run_that_ended_early_goes_on_to_the_same_bits(hanging, tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    hanging().build().run(whole)
    hanging().build().run(parts, on_step=lambda report: report.time < 0.1)
    assert len(frames_of(parts)) < 7
    result = hanging().build().run(parts, resume=True)
    assert result.status == "completed" and result.steps == 6
    for one, other in zip(frames_of(whole), frames_of(parts), strict=True):
        assert np.array_equal(one, other)
    assert columns_without_seconds(whole) == columns_without_seconds(parts)


def test_a_run_of_arrays_is_resumed_by_the_same_arrays_only(two_tets, tmp_path):
    vertices, tets = two_tets

    def made(scale):
        scene = pliant.Scene()
        scene.add_body(vertices=scale * vertices, tets=tets)
        return scene.build()

    made(1).run(tmp_path / "run", frames=2)
    assert made(1).run(tmp_path / "run", frames=4, resume=True).frames == 4
    with pytest.raises(ValueError, match="another scene"):
        made(1.5).run(tmp_path / "run", frames=6, resume=True)


def test_an_error_in_what_is_called_ends_the_run_and_comes_out(hanging, tmp_path):
    def on_step(report):
        raise RuntimeError("enough")

    sim = hanging().build()
    with pytest.raises(RuntimeError, match="enough"):
        sim.run(tmp_path / "bar", on_step=on_step)
    assert json.loads((tmp_path / "bar" / "summary.json").read_text())["status"] == "interrupted"
    assert sim.step().converged, "it can be used again"


def test_interrupted_by_the_keyboard_it_can_be_resumed(hanging, tmp_path):
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell may have switched off for what runs behind it
    before = signal.getsignal(signal.SIGINT)
    calls = []

    def on_step(report):
        calls.append(report.time)
        if len(calls) == 2:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        hanging().build().run(tmp_path / "bar", on_step=on_step)
    assert len(calls) == 2 and signal.getsignal(signal.SIGINT) is before
    assert hanging().build().run(tmp_path / "bar", resume=True).steps == 6


def test_a_run_is_interrupted_without_anything_that_is_called(hanging, tmp_path):
    signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(TimeoutError()))
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(TimeoutError):
            hanging(duration=4000).build().run(tmp_path / "bar")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    assert json.loads((tmp_path / "bar" / "summary.json").read_text())["status"] == "interrupted"


def test_the_simulation_may_not_be_stepped_by_what_its_run_calls(hanging, tmp_path):
    sim = hanging().build()
    with pytest.raises(RuntimeError, match="is being stepped"):
        sim.run(tmp_path / "bar", on_step=lambda report: sim.step())


def test_a_disk_that_fails_is_an_os_error(hanging, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        hanging().build().run(tmp_path / "file" / "bar")


def test_what_the_library_has_to_say_is_a_warning(hanging, tmp_path):
    scene = hanging(solver={"max_iterations": 1, "tolerance": 1e-12})
    with pytest.warns(pliant.PliantWarning, match="did not converge"):
        result = scene.build().run(tmp_path / "bar", frames=1)
    assert result.exit_code == 3 and result.failed_steps == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(pliant.PliantWarning):
            scene.build().run(tmp_path / "other", frames=1)
