"""Run folders read by `pliant.run.Run`, made by the command-line program."""

import csv
import gc
import os
import pathlib
import shutil
import subprocess
import sys
import time

import numpy as np
import pytest
import runs

from pliant.run import Run


@pytest.fixture(scope="module")
def drop(tmp_path_factory):
    return runs.make_run(tmp_path_factory.mktemp("drop"), runs.DROP)


@pytest.fixture(scope="module")
def cloth(tmp_path_factory):
    return runs.make_run(tmp_path_factory.mktemp("cloth"), runs.CLOTH)


@pytest.fixture(scope="module")
def torn(tmp_path_factory):
    return runs.make_run(tmp_path_factory.mktemp("torn"), runs.TORN)


@pytest.fixture
def damaged(drop, tmp_path):
    """A copy of a run for a test to damage."""
    return pathlib.Path(shutil.copytree(drop, tmp_path / "copy"))


def volumes(vertices, tets):
    a, b, c, d = (vertices[tets[:, k]] for k in range(4))
    return np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6


def test_says_what_ran(drop):
    run = Run(drop)
    assert run.name == run.summary["scene"] == "Drop"
    assert run.summary["scheme"] == "backward-euler"
    assert 'name = "Drop"' in run.scene and "max_iterations = 500" in run.scene
    assert run.status == "completed" and run.is_finished and not run.is_running
    assert "7 frames" in repr(run)


def test_frames_are_read_only_memory_maps(drop):
    run = Run(drop)
    assert len(run) == len(run.frames) == 7
    for i, frame in enumerate(run.frames):
        assert isinstance(frame, np.memmap) and frame.dtype == np.float32 and not frame.flags.writeable
        np.testing.assert_array_equal(frame, np.load(drop / "frames" / f"{i:06}.npy"))
    np.testing.assert_array_equal(run.frame(-1), run.frame(6))
    assert [len(frame) for frame in run.frames[::3]] == [76, 76, 76]
    assert run.frame(6)[:, 1].mean() < run.frame(0)[:, 1].mean()
    np.testing.assert_allclose(run.times, np.arange(7) / 24)


def test_a_frame_outlives_its_run(drop):
    frame = Run(drop).frame(2)
    gc.collect()
    np.testing.assert_array_equal(frame, np.load(drop / "frames/000002.npy"))


@pytest.mark.parametrize("i", [7, -8])
def test_a_frame_that_is_not_there_is_an_index_error(drop, i):
    with pytest.raises(IndexError, match=f"drop.*there is no frame {i}; there are 7"):
        Run(drop).frame(i)


def test_bodies_are_rest_meshes(drop):
    ball, rope = Run(drop).bodies.values()
    assert (ball.name, rope.name) == ("ball", "rope")
    assert ball.vertices.dtype == float and ball.tets.dtype == np.int32 and not ball.vertices.flags.writeable
    assert ball.vertices.shape == (65, 3) and ball.tets.shape == (192, 4) and ball.triangles.shape == (0, 3)
    assert ball.color == (1, 0.5, 0) and rope.color is None and ball.origin is None
    np.testing.assert_array_equal(rope.edges, [[k, k + 1] for k in range(10)])
    np.testing.assert_allclose(np.linalg.norm(ball.vertices - [0, 0.6, 0], axis=1).max(), 0.5, atol=0.01)
    assert (volumes(ball.vertices, ball.tets) > 0).all()


def test_body_frames_are_parts_of_frames(drop):
    run = Run(drop)
    ball, rope = run.bodies.values()
    assert (ball.first_vertex, rope.first_vertex) == (0, 65)
    np.testing.assert_array_equal(np.concatenate([run.body_frame("ball", 3), run.body_frame("rope", 3)]), run.frame(3))
    np.testing.assert_allclose(run.body_frame("rope", 0), rope.vertices, atol=1e-6)
    with pytest.raises(ValueError, match='there is no body "bell" in this run; did you mean "ball"'):
        run.body_frame("bell", 0)


def test_the_surface_of_a_solid_is_closed_and_outward(drop):
    body = Run(drop).bodies["ball"]
    faces = body.vertices[body.surface]
    enclosed = np.einsum("ij,ij->i", np.cross(faces[:, 0], faces[:, 1]), faces[:, 2]).sum() / 6
    np.testing.assert_allclose(enclosed, volumes(body.vertices, body.tets).sum(), rtol=1e-12)
    assert len(body.surface) == sum(line.startswith("f ") for line in open(drop / "bodies/ball.obj"))


def test_cloth_is_made_of_triangles(cloth):
    run = Run(cloth)
    body = run.bodies["cloth"]
    assert body.triangles.shape == (128, 3) and body.tets.shape == (0, 4) and body.edges.shape == (0, 2)
    np.testing.assert_array_equal(body.surface, body.triangles)
    held = body.vertices[:, 0] < -0.49
    np.testing.assert_array_equal(run.frame(-1)[held], run.frame(0)[held])
    assert run.frame(-1)[~held, 1].min() < -0.01
    assert run.obstacles == {}


def test_obstacles_move_as_the_scene_says(drop):
    run = Run(drop)
    ground, block = run.obstacles.values()
    assert ground.unbounded and ground.friction == 0.3 and ground.contact == "constraint" and not block.unbounded
    np.testing.assert_array_equal(ground.frame(6), ground.vertices)
    center, t = np.array([2, 0.2, 0]), 6 / 24
    c, s = np.cos(np.pi / 2 * t), np.sin(np.pi / 2 * t)
    turn = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    expected = (block.vertices - center) @ turn.T + center + [-0.5 * t, 0, 0]
    np.testing.assert_allclose(block.frame(6), expected, atol=1e-12)
    assert np.abs(block.frame(6) - block.vertices).max() > 0.1
    assert block.triangles.min() == 0 and block.triangles.max() == len(block.vertices) - 1
    np.testing.assert_allclose(np.ptp(block.vertices, axis=0), 0.4, atol=0.01)


def test_steps_are_what_the_file_says(drop):
    run = Run(drop)
    with open(drop / "steps.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(run.steps) == len(rows) == 12 and run.steps.dtype.names == tuple(rows[0])
    for k, row in enumerate(rows):
        for name, field in row.items():
            value = run.steps[name][k]
            if name == "status":
                assert value == field
            elif field == "":
                assert np.isnan(value)
            else:
                assert value == float(field), name
    assert run.steps["iterations"].dtype == np.int64 and run.steps["kinetic"].dtype == float and not run.steps.flags.writeable
    assert set(run.steps["status"]) == {"converged"}
    assert run.energies == ("kinetic", "elastic", "gravitational", "attachment", "contact", "total")


def test_empty_cells_are_not_a_number(cloth):
    assert ",," in (cloth / "steps.csv").read_text()  # no obstacle, no gap
    assert np.isnan(Run(cloth).steps["smallest_gap"]).all()


def test_torn_bodies_have_other_sizes(torn):
    run = Run(torn)
    sizes = [len(frame) for frame in run.frames]
    assert len(set(sizes)) > 1
    tear = next(i for i, size in enumerate(sizes) if size != sizes[0])
    for i in range(len(run)):
        bodies = run.bodies_in(i)
        assert sizes[i] == sum(len(body.vertices) for body in bodies.values())
        assert bodies["whole"].first_vertex == len(bodies["strip"].vertices)
        # What stays whole, behind what tears.
        np.testing.assert_allclose(run.body_frame("whole", i), bodies["whole"].vertices, atol=1e-4)
    assert run.bodies["strip"].origin is None and run.bodies_in(tear - 1) is run.bodies
    strip = run.bodies_in(tear)["strip"]
    assert strip.origin.dtype == np.int32 and len(strip.triangles) < len(run.bodies["strip"].triangles)
    np.testing.assert_allclose(strip.vertices, run.bodies["strip"].vertices[strip.origin], atol=1e-12)
    assert strip.triangles.max() < len(run.body_frame("strip", tear))
    assert run.steps["loss_tear"].max() > 0
    assert [len(frame) for frame in reversed(run.frames)] == sizes[::-1]


def test_a_row_that_is_being_written_is_left_out(damaged):
    file = damaged / "steps.csv"
    text = file.read_text()
    file.write_text(text[:-20])
    run = Run(damaged)
    np.testing.assert_array_equal(run.steps["step"], np.arange(1, 12))
    file.write_text(text)
    np.testing.assert_array_equal(run.steps["step"], np.arange(1, 13))
    file.write_text(text[:text.index("\n") + 1])
    assert len(run.steps) == 0 and run.steps.dtype.names[0] == "frame"


def test_frames_that_come_later_are_seen(damaged):
    late = damaged / "frames/000006.npy"
    late.rename(damaged / "late")
    run = Run(damaged)
    assert len(run) == 6
    (damaged / "late").rename(late)
    assert len(run) == 7 and len(run.frames[-1]) == 76


def test_a_run_can_be_watched_while_it_is_written(tmp_path):
    scene = tmp_path / "scene.toml"
    scene.write_text(runs.CLOTH.replace("0.25", "1000"))
    with subprocess.Popen([runs.program(), "run", scene, "-o", tmp_path / "out", "-q"]) as process:
        try:
            while not (tmp_path / "out/frames/000003.npy").exists():
                assert process.poll() is None
                time.sleep(0.01)
            run = Run(tmp_path / "out")
            assert run.is_running and not run.is_finished and run.status == "running"
            seen = len(run)
            while len(run) == seen:
                assert process.poll() is None
                time.sleep(0.01)
            # Steps are at the disk before their frame is, but the table is read before frames are counted.
            assert len(run.steps) >= seen - 1 and np.isfinite(run.frame(-1)).all()
        finally:
            process.terminate()
    assert run.status == "interrupted" and not run.is_running and not run.is_finished


def complaint(run, ask):
    with pytest.raises(ValueError) as caught:
        ask(run)
    return str(caught.value)


@pytest.mark.parametrize("damage, what", [
    (lambda data: data[:-8], "is damaged or cut off"),
    (lambda data: data[:20], "is damaged or cut off"),
    (lambda data: b"", "is damaged or cut off"),
    (lambda data: b"nothing" + data[7:], "is damaged or cut off"),
    (lambda data: data + b"more", "holds more than its 76 vertices"),
    (lambda data: data.replace(b"'<f4'", b"'<i4'"), "holds int32 numbers"),
    (lambda data: data.replace(b"(76, 3)", b"(3, 76)"), "of shape (3, 76)"),
    (lambda data: data.replace(b"(76, 3)", b"(75, 3)")[:-12], "holds 75 vertices where the bodies have 76"),
])
def test_a_damaged_frame_is_refused_by_name(damaged, damage, what):
    file = damaged / "frames/000003.npy"
    file.write_bytes(damage(file.read_bytes()))
    run = Run(damaged)
    message = complaint(run, lambda run: run.frame(3))
    assert message.startswith(f"{damaged}: frames/000003.npy: ") and what in message
    assert "--overwrite" in message
    assert len(run.frame(2)) == 76


@pytest.mark.parametrize("file, damage, ask, what", [
    ("summary.json", lambda text: text[:100], None, "summary.json"),
    ("summary.json", lambda text: text.replace('"frame_rate"', '"rate"'), None, "it has no 'frame_rate'"),
    ("summary.json", lambda text: "[]", None, "is not the summary of a run"),
    ("steps.csv", lambda text: text.replace("converged,", "converged,,", 1), lambda run: run.steps, "line 2 has 43 columns where the head has 42"),
    ("steps.csv", lambda text: text.replace("\n2,4,", "\n2,four,"), lambda run: run.steps, "line 5: column step holds 'four'"),
    ("steps.csv", lambda text: "", lambda run: run.steps, "has no head"),
    ("bodies/ball.vtu", lambda text: text[:1000], lambda run: run.bodies, "bodies/ball.vtu: is damaged"),
    ("bodies/ball.vtu", lambda text: text.replace('NumberOfPoints="65"', 'NumberOfPoints="66"'), lambda run: run.frame(0), "fewer or more vertices"),
    ("bodies/ball.vtu", lambda text: text.replace('format="ascii"', 'format="appended"'), lambda run: run.bodies, "as bytes"),
    ("bodies/rope.vtu", lambda text: text.replace("\n9 10\n", "\n9 11\n"), lambda run: run.bodies, "corners that are no vertices"),
    ("bodies/ball.vtu", lambda text: text.replace("\n10\n10\n", "\n12\n10\n", 1), lambda run: run.bodies, "other kinds than tetrahedra, triangles and lines: [12]"),
    ("bodies/ball.vtu", lambda text: text.replace("\n10\n10\n", "\n5\n10\n", 1), lambda run: run.bodies, "fewer or more corners"),
    ("obstacles/block.obj", lambda text: text.replace("\nf 13826 ", "\nf 13827 ", 1), lambda run: run.obstacles, "corners that are no vertices"),
    ("obstacles.csv", lambda text: text.replace("turn_w", "turn_u"), lambda run: run.obstacles, "obstacles.csv: has no column"),
])
def test_what_is_damaged_is_named(damaged, file, damage, ask, what):
    text = (damaged / file).read_text()
    changed = damage(text)
    assert changed != text
    (damaged / file).write_text(changed)
    message = complaint(damaged, Run) if ask is None else complaint(Run(damaged), ask)
    assert message.startswith(f"{damaged}: {file}: ") and what in message and "--overwrite" in message


@pytest.mark.parametrize("file, ask", [("steps.csv", lambda run: run.steps), ("bodies/rope.vtu", lambda run: run.frame(0)),
                                       ("obstacles/block.obj", lambda run: run.obstacles), ("scene.toml", lambda run: run.scene)])
def test_what_is_missing_is_named(damaged, file, ask):
    run = Run(damaged)
    os.remove(damaged / file)
    message = complaint(run, ask)
    assert "is missing; run the scene again" in message and (file in message or file == "scene.toml")


def test_no_folder_and_no_run_are_refused(tmp_path):
    assert "there is no such run folder; `pliant run SCENE" in complaint(tmp_path / "none", Run)
    assert f"{tmp_path}: summary.json: is missing" in complaint(tmp_path, Run)


def test_pandas_gets_the_steps(drop):
    frame = Run(drop).to_pandas()
    assert list(frame["step"]) == list(range(1, 13)) and frame["status"].iloc[0] == "converged"


def test_meshio_gets_all_bodies(drop, torn):
    run = Run(drop)
    mesh = run.to_meshio(3)
    np.testing.assert_array_equal(mesh.points, run.frame(3))
    np.testing.assert_array_equal(mesh.cells_dict["line"], run.bodies["rope"].edges + 65)
    np.testing.assert_array_equal(mesh.cells_dict["tetra"], run.bodies["ball"].tets)
    assert mesh.point_data["body"].tolist() == [0] * 65 + [1] * 11
    assert len(Run(torn).to_meshio(-1).cells_dict["triangle"]) == len(Run(torn).bodies_in(-1)["strip"].triangles)


def test_pyvista_gets_a_block_a_body_and_obstacle(drop):
    pytest.importorskip("pyvista", reason="it brings VTK, 100 MB, which is too much to fetch for one test")
    run = Run(drop)
    blocks = run.to_pyvista(4)
    assert blocks.keys() == ["ball", "rope", "ground", "block"]
    np.testing.assert_array_equal(blocks["ball"].points, run.body_frame("ball", 4))
    np.testing.assert_array_equal(blocks["ball"].cells_dict[10], run.bodies["ball"].tets)
    np.testing.assert_array_equal(blocks["rope"].cells_dict[3], run.bodies["rope"].edges)
    np.testing.assert_allclose(blocks["rope"]["displacement"], run.body_frame("rope", 4) - run.bodies["rope"].vertices, atol=1e-6)
    np.testing.assert_allclose(blocks["block"].points, run.obstacles["block"].frame(4), atol=1e-6)


def test_importing_it_imports_nothing_but_numpy(tmp_path):
    code = "import sys, pliant.run; print(*sorted(set(sys.modules) & {'matplotlib', 'pandas', 'pyvista', 'meshio', 'scipy', 'IPython'}))"
    package = pathlib.Path(sys.modules["pliant.run"].__file__).parent.parent
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": str(package)}, cwd=tmp_path,
                          capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


class TestPictures:
    """What is drawn is asked for in the axes: that pictures look right is for eyes to see."""

    @pytest.fixture(autouse=True)
    def without_a_screen(self):
        import matplotlib

        matplotlib.use("Agg")
        yield
        import matplotlib.pyplot as plt

        plt.close("all")

    def test_energies_begin_at_the_start(self, drop):
        run = Run(drop)
        curves = {line.get_label(): line.get_data() for line in run.plot_energy().lines}
        assert {"kinetic", "gravitational", "total"} <= set(curves) and "attachment" not in curves
        times, total = curves["total"]
        np.testing.assert_array_equal(total, np.append(run.summary["start"]["total"], run.steps["total"]))
        np.testing.assert_array_equal(times, np.append(0, run.steps["time"]))

    def test_steps_that_did_not_converge_are_marked(self, damaged):
        assert Run(damaged).plot_iterations().lines[:] == []
        file = damaged / "steps.csv"
        file.write_text(file.read_text().replace(",converged,", ",stalled,", 1))
        assert Run(damaged).plot_iterations().lines[0].get_xdata() == [Run(damaged).steps["time"][0]]

    def test_axes_can_be_given(self, drop):
        import matplotlib.pyplot as plt

        figure, (left, right) = plt.subplots(1, 2)
        assert Run(drop).plot_energy(left) is left and Run(drop).plot_iterations(ax=right) is right

    def test_a_frame_shows_bodies_and_obstacles(self, drop):
        run = Run(drop)
        ax = run.plot(3)
        ground, block, ball, rope = ax.collections
        drawn = np.asarray(ball._faces) if hasattr(ball, "_faces") else ball._vec[:3].T.reshape(-1, 3, 3)
        np.testing.assert_allclose(np.sort(drawn.reshape(-1, 3)[:, 1]), np.sort(run.body_frame("ball", 3)[run.bodies["ball"].surface][..., 1].ravel()))
        assert ax.get_ylim()[0] < run.frame(3)[:, 1].min() and ax.get_ylim()[1] > run.frame(3)[:, 1].max()
        ax.figure.canvas.draw()

    def test_an_animation_plays_in_a_page(self, torn):
        page = Run(torn).animate(range(0, 16, 5))._repr_html_()
        assert page.count("data:image/png") == 4
