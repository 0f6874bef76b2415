#!/usr/bin/env python3
"""Writes the scenes with many obstacles or bodies: squeeze.toml, box-stack.toml and tori-bowl.toml."""

import math
import pathlib
import random

FOLDER = pathlib.Path(__file__).resolve().parent

SQUEEZE = """\
# A creature squeezed between 32 rigid cubes (Gast and Schroeder 2014, figure 13), one step per 24 Hz frame; all collisions are constraints.
# Written by make.py.
#
# The paper gives 73.8k degrees of freedom, an armadillo, constraints, the fixed corotated material, and steps of 1/24 s and shorter.
# What it leaves open is fixed here once:
# - The creature of our gallery, 1 m, with cells of 20.1 mm.
# - E = 1e5 Pa, nu = 0.4, 1000 kg/m^3, no gravity.
# - Two walls of 4 x 4 cubes of 0.24 m, each turned about an axis of its own, close in within 1.5 s by 0.30 and 0.34 m in turns, which
#   leaves 0.1 m between the closest corners, wait, and go back as fast. Nothing rubs.
name = "Squeeze"
duration = 5.0
frame_rate = 24
gravity = [0, 0, 0]

[time]
scheme = "backward-euler"
steps_per_frame = 1

[[body]]
name = "creature"
shape = { kind = "creature", extent = 1, cell = 0.02008 }
material = { model = "fixed-corotated", young = 1e5, poisson = 0.4, density = 1000 }
"""

BOX_STACK = """\
# A stack of soft boxes struck by a rigid cube (Gast and Schroeder 2014, figure 14), one step per 24 Hz frame. Written by make.py.
#
# The paper gives 138k degrees of freedom, boxes of which the green ones are ten times as stiff as the blue ones, constraints for the
# cube and the floor, the fixed corotated material and the step. What it leaves open is fixed here once:
# - A pyramid of 21 boxes of 0.5 m with 12 x 12 x 12 cells: 2197 vertices each, 138411 degrees of freedom.
# - Blue: E = 1e6 Pa, green: 1e7 Pa, stiffer than the other scenes as the paper says; nu = 0.4, 1000 kg/m^3. Colours take turns.
# - The cube of 0.6 m comes from the side at 2 m/s and goes on for 1.5 s.
# - Contacts between boxes have k = 1e6 Pa, which lets them overlap by some mm, and friction 0.5 like all others. Boxes this stiff do
#   not touch themselves, and that is not looked for.
name = "Box stack"
duration = 2.0
frame_rate = 24

[time]
scheme = "backward-euler"
steps_per_frame = 1

[contact]
self_collision = true
within_bodies = false
stiffness = 1e6
friction = 0.5

[[obstacle]]
name = "floor"
shape = { kind = "plane", normal = [0, 1, 0] }
friction = 0.5

[[obstacle]]
name = "cube"
shape = { kind = "box", size = [0.6, 0.6, 0.6] }
translate = [-2.1, 0.8, 0]
motion = { keys = [{ time = 0 }, { time = 1.5, translate = [3, 0, 0] }] }
friction = 0.5
"""

TORI_BOWL = """\
# 125 rings fall into a bowl (Gast and Schroeder 2014, figure 1), five steps per 24 Hz frame, with all three kinds of collisions: constraints for
# the ground, penalties for the bowl, a level set on a grid, and self-collision. Written by make.py.
#
# The paper gives 984k degrees of freedom, the kinds of collisions, the fixed corotated material and the step. What it leaves open is
# fixed here once:
# - Rings of 1.4 m with cells of 76 mm.
# - E = 1e6 Pa, nu = 0.4, 1000 kg/m^3; contacts between rings have k = 1e6 Pa, which lets them overlap by a centimetre or two.
# - They start in 5 layers of 5 x 5 in the shape of the bowl, the lowest just above it, each tilted by up to 8 degrees.
# - The bowl is 11.4 m wide and 0.6 m thick, on a grid with cells of 0.1 m; friction 0.8.
# - Steps are solved to a residual of 0.1 m/s; it starts at 20 to 30 m/s. On the borders between the cells of the grid the force of the
#   bowl jumps, and where vertices come to rest there no gradient is small: they take most of the iterations at a tolerance of 0.001.
name = "Tori in a bowl"
duration = 4.0
frame_rate = 24

[time]
scheme = "backward-euler"
steps_per_frame = 5

[solver]
tolerance = 0.1

[contact]
self_collision = true
stiffness = 1e6
friction = 0.8

[[obstacle]]
name = "ground"
shape = { kind = "plane", normal = [0, 1, 0] }
friction = 0.8

[[obstacle]]
name = "bowl"
shape = { kind = "bowl", radius = 5.7, thickness = 0.6, rim = 0 }
translate = [0, 5.7, 0]
contact = "penalty"
grid = { cell = 0.1, interpolation = "linear" }
friction = 0.8
"""


def numbers(values):
    return "[" + ", ".join(f"{value:.4g}" for value in values) + "]"


def squeeze():
    draw = random.Random(1)
    text = SQUEEZE
    for side in (-1, 1):
        for i in range(4):
            for j in range(4):
                deep = (i + j) % 2 == (side > 0)
                axis = [draw.gauss(0, 1) for _ in range(3)]
                way = 0.34 if deep else 0.3
                keys = ", ".join(f"{{ time = {time}, translate = {numbers([-side * way * part, 0, 0])} }}"
                                 for time, part in ((0, 0), (1.5, 1), (2, 1), (3.5, 0)))
                text += f"""
[[obstacle]]
name = "{'left' if side < 0 else 'right'}-{i + 1}-{j + 1}"
shape = {{ kind = "box", size = [0.24, 0.24, 0.24] }}
rotate = {{ axis = {numbers(axis)}, angle = {draw.uniform(0, 90):.3g} }}
translate = {numbers([side * (0.36 + 0.21), 0.28 * (i - 1.5), 0.28 * (j - 1.5)])}
motion = {{ keys = [{keys}] }}
"""
    return text


def box_stack():
    text = BOX_STACK
    number, side, gap = 0, 0.5, 0.002
    for layer in range(6):
        for place in range(6 - layer):
            colour = "green" if number % 2 else "blue"
            number += 1
            x = (place - (5 - layer) / 2) * (side + gap)
            text += f"""
[[body]]
name = "{colour}-{number}"
shape = {{ kind = "box", size = [0.5, 0.5, 0.5], cells = [12, 12, 12] }}
material = {{ model = "fixed-corotated", young = {'1e7' if colour == 'green' else '1e6'}, poisson = 0.4, density = 1000 }}
translate = {numbers([x, side / 2 + gap + layer * (side + gap), 0])}
color = {'[0.45, 0.68, 0.47]' if colour == 'green' else '[0.36, 0.55, 0.76]'}
"""
    return text


def tori_bowl():
    draw = random.Random(1)
    text = TORI_BOWL
    for layer in range(5):
        for i in range(5):
            for j in range(5):
                angle = draw.uniform(0, 2 * math.pi)
                x, z = 1.45 * (i - 2), 1.45 * (j - 2)
                bottom = 5.7 - math.sqrt(5.1 ** 2 - (math.hypot(x, z) + 0.7) ** 2)
                text += f"""
[[body]]
name = "torus-{layer + 1}-{i + 1}-{j + 1}"
shape = {{ kind = "torus", major = 0.5, minor = 0.2, cell = 0.076 }}
material = {{ model = "fixed-corotated", young = 1e6, poisson = 0.4, density = 1000 }}
rotate = {{ axis = {numbers([math.cos(angle), 0, math.sin(angle)])}, angle = {draw.uniform(0, 8):.3g} }}
translate = {numbers([x, bottom + 0.45 + 0.62 * layer, z])}
"""
    return text


if __name__ == "__main__":
    for name, text in (("squeeze", squeeze()), ("box-stack", box_stack()), ("tori-bowl", tori_bowl())):
        (FOLDER / f"{name}.toml").write_text(text)
