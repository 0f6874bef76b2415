"""Bodies whose meshes are arrays, and what may be done to their vertices."""

import numpy as np
import pliant
import pytest


def test_tetrahedra_by_arrays_are_a_body(two_tets):
    vertices, tets = two_tets
    scene = pliant.Scene()
    body = scene.add_body(vertices=vertices, tets=tets, material={"young": 1e4, "density": 500})
    assert np.array_equal(body.vertices, vertices)
    sim = scene.build()
    assert np.array_equal(sim.x, vertices)
    volume = 1 / 6 + 1 / 3
    assert sim.mass.sum() == pytest.approx(500 * volume)
    assert np.array_equal(sim.bodies[0].mesh.tets, tets)
    assert len(sim.bodies[0].mesh.surface) == 6


def test_a_mesh_of_arrays_and_that_of_a_shape_move_alike(two_tets):
    made = pliant.mesh("box", size=[3, 1, 1], cells=[6, 2, 2])
    ways = []
    for keys in ({"shape": {"kind": "box", "size": [3, 1, 1], "cells": [6, 2, 2]}}, {"mesh": made},
                 {"vertices": made.vertices, "tets": made.tets}):
        scene = pliant.Scene()
        scene.add_body(**keys).hold({"plane": {"point": [-1.5, 0, 0], "normal": [-1, 0, 0]}})
        sim = scene.build()
        for _ in range(3):
            sim.step()
        ways.append(sim.x.copy())
    assert np.array_equal(ways[0], ways[1]) and np.array_equal(ways[0], ways[2])
    assert ways[0][:, 1].min() < -0.52


def test_triangles_are_a_sheet_and_edges_a_strand():
    grid = np.array([[i, 0.0, j] for i in range(3) for j in range(3)]) / 10
    triangles = [[3 * i + j, 3 * i + j + 1, 3 * i + j + 3] for i in range(2) for j in range(2)]
    triangles += [[3 * i + j + 1, 3 * i + j + 4, 3 * i + j + 3] for i in range(2) for j in range(2)]
    scene = pliant.Scene()
    sheet = scene.add_body(vertices=grid, triangles=triangles, thickness=0.002, material={"density": 300})
    strand = scene.add_body(vertices=grid[:3] + [0, 1, 0], edges=[[0, 1], [1, 2]])
    assert len(sheet.mesh.edges) == 16 and len(strand.mesh.edges) == 2
    sim = scene.build()
    rows = sim.bodies[0].vertices
    assert sim.mass[rows].sum() == pytest.approx(300 * 0.002 * 0.04)
    assert sim.step().converged


def test_triangles_may_be_a_planar_body():
    scene = pliant.Scene(gravity=[0, 0, 0])
    scene.add_body(vertices=[[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles=[[0, 1, 2]], planar=True,
                   material={"density": 10})
    sim = scene.build()
    assert sim.mass.sum() == pytest.approx(5)
    assert sim.fixed[:, 2].all() and not sim.fixed[:, :2].any()


@pytest.mark.parametrize(
    "arrays, complaint",
    [
        ({"vertices": [[0, 0]], "tets": [[0, 1, 2, 3]]}, r"vertices has the shape \(1, 2\); it must be \(n, 3\)"),
        ({"vertices": np.zeros((4, 3)), "tets": [[0, 1, 2]]}, r"tets must have the shape \(m, 4\)"),
        ({"vertices": np.zeros((4, 3)), "tets": [[0, 1, 2, 4]]}, r"tets\[0, 3\] is 4, but there are 4 vertices"),
        ({"vertices": [[0, 0, np.nan]], "tets": [[0, 0, 0, 0]]}, r"vertices\[0, 2\] is nan"),
        ({"vertices": np.zeros((4, 3))}, "either tets, triangles or edges"),
        ({"tets": [[0, 1, 2, 3]]}, "go with vertices"),
    ],
)
def test_arrays_that_are_no_mesh_are_refused(arrays, complaint):
    with pytest.raises(ValueError, match=complaint):
        pliant.Scene().add_body(**arrays)


def test_an_element_inside_out_is_complained_of(two_tets):
    vertices, tets = two_tets
    scene = pliant.Scene()
    scene.add_body(vertices=vertices, tets=tets[:, [1, 0, 2, 3]])
    assert any("inverted" in complaint or "inside out" in complaint for complaint in scene.check()), scene.check()


def test_the_keys_of_a_body_of_arrays_are_checked_as_in_a_file(two_tets):
    vertices, tets = two_tets
    scene = pliant.Scene()
    scene.add_body(vertices=vertices, tets=tets, material={"poisson": 0.6})
    (complaint,) = scene.check()
    assert complaint.startswith("body[0].material.poisson: ") and "less than 0.5" in complaint


def test_vertices_are_held_by_a_mask_by_numbers_and_by_a_region(two_tets):
    vertices, tets = two_tets
    for where in (vertices[:, 0] == 0, [0, 2, 3], {"plane": {"point": [0.1, 0, 0], "normal": [-1, 0, 0]}}):
        scene = pliant.Scene()
        scene.add_body(vertices=vertices, tets=tets).hold(where)
        sim = scene.build()
        assert sim.fixed.all(axis=1).tolist() == [True, False, True, True, False]
        sim.step()
        assert np.array_equal(sim.x[[0, 2, 3]], vertices[[0, 2, 3]])
        assert not np.array_equal(sim.x[4], vertices[4])


def test_a_mask_of_another_length_or_of_nothing_is_refused(two_tets):
    vertices, tets = two_tets
    body = pliant.Scene().add_body(vertices=vertices, tets=tets)
    with pytest.raises(ValueError, match="the body has 5 vertices"):
        body.hold([True, False])
    with pytest.raises(ValueError, match="selects no vertex"):
        body.hold(np.zeros(5, dtype=bool))


def test_vertices_are_moved_let_go_and_attached(two_tets):
    vertices, tets = two_tets
    scene = pliant.Scene(gravity=[0, 0, 0], frame_rate=10)
    body = scene.add_body(vertices=vertices, tets=tets)
    body.move([0], velocity=[1, 0, 0])
    body.hold([1], release=0.1)
    body.attach([4], stiffness=100.0)
    sim = scene.build()
    sim.step()
    assert sim.x[0] == pytest.approx([0.1, 0, 0])
    assert np.array_equal(sim.x[1], vertices[1]) and sim.fixed[1].all()
    sim.step()
    assert not np.array_equal(sim.x[1], vertices[1]) and not sim.fixed[1].any()
    assert sim.energies["attachment"] > 0


def test_fields_choose_vertices_and_stiffness(two_tets):
    vertices, tets = two_tets
    stiffness = np.array([1.0, 1, 1, 1, 9])
    scene = pliant.Scene()
    body = scene.add_body(vertices=vertices, tets=tets, fields={"grip": [1, 0, 0, 0, 0], "stiff": stiffness},
                          material={"young_field": "stiff"})
    body.hold({"field": {"name": "grip"}})
    sim = scene.build()
    assert sim.fixed.all(axis=1).tolist() == [True, False, False, False, False]
    plain = pliant.Scene()
    plain.add_body(vertices=vertices, tets=tets)
    stretched = vertices * [2, 1, 1]
    assert sim.energy(stretched) > 1.5 * plain.build().energy(stretched)


def test_a_body_may_start_elsewhere_than_at_rest(two_tets):
    vertices, tets = two_tets
    scene = pliant.Scene(gravity=[0, 0, 0])
    scene.add_body(vertices=vertices, tets=tets, positions=2 * vertices)
    sim = scene.build()
    assert np.array_equal(sim.x, 2 * vertices)
    assert sim.energies["elastic"] > 0
