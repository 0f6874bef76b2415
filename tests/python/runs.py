"""Run folders that the command-line program makes; PLIANT_PROGRAM names it."""

import os
import pathlib
import subprocess


def program():
    path = os.environ.get("PLIANT_PROGRAM")
    assert path and pathlib.Path(path).is_file(), (
        f"PLIANT_PROGRAM is {path!r}; these tests need the command-line program: PLIANT_PROGRAM=build/release/pliant")
    return path


def make_run(folder, scene, *options):
    """Runs a scene into folder/out and returns that."""
    file = folder / "scene.toml"
    file.write_text(scene)
    command = [program(), "run", file, "-o", folder / "out", "--quiet", "--threads", "1", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "out"


# A ball and a rope over the ground, and a block that turns and moves towards them.
DROP = """
name = "Drop"
duration = 0.25
frame_rate = 24
[time]
steps_per_frame = 2
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.5, cell = 0.3 }
color = [1, 0.5, 0]
translate = [0, 0.6, 0]
[[body]]
name = "rope"
shape = { kind = "strand", length = 1, cells = [10, 1, 1], thickness = 0.01 }
translate = [0, 1.4, 1.2]
[[obstacle]]
name = "ground"
shape = { kind = "plane", normal = [0, 1, 0] }
friction = 0.3
[[obstacle]]
name = "block"
shape = { kind = "box", size = [0.4, 0.4, 0.4] }
translate = [2, 0.2, 0]
motion = { velocity = [-0.5, 0, 0], center = [2, 0.2, 0], spin = 90 }
"""

CLOTH = """
name = "Cloth"
duration = 0.25
frame_rate = 24
[[body]]
name = "cloth"
shape = { kind = "cloth", length = 1, cells = [8, 8, 1], thickness = 0.001 }
[[body.script]]
region = { box = { min = [-0.6, -1, -1], max = [-0.49, 1, 1] } }
"""

# A strip that two clamps pull apart, and a body after it that stays whole.
TORN = """
name = "Pulled apart"
duration = 0.5
frame_rate = 30
gravity = [0, 0, 0]
[solver]
method = "lbfgs"
iterations = 8
[[body]]
name = "strip"
shape = { kind = "cloth", length = 1, width = 0.4, cells = [20, 8, 1], thickness = 0.001 }
material = { model = "neo-hookean", young = 1e5, poisson = 0.3, tear = 1.3 }
[[body.script]]
region = { box = { min = [-2, -2, -2], max = [-0.45, 2, 2] } }
[[body.script]]
region = { box = { min = [0.45, -2, -2], max = [2, 2, 2] } }
velocity = [2, 0, 0]
[[body]]
name = "whole"
shape = { kind = "box", size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }
translate = [0, 1, 0]
"""
