#!/usr/bin/env python3
"""Writes the scenes with many bodies or obstacles: strain-limit, volume-weights, materials, brush and skirt."""

import math
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent

STRAIN_LIMIT = """\
# Cloth that may stretch a little before it resists (Liu 2018, figure 6.1): from left to right within 10, 20 and 30 percent. One step per
# 30 Hz frame. Written by make.py.
#
# The thesis gives the limits. What it leaves open is fixed here once:
# - Sheets of 1 m x 1 m with 40 x 40 cells, 1 mm thick, held by two corners that come closer to each other by 0.2 m, so that they fold.
# - 5e5 Pa beyond the limits, springs of 2e-4 of that against bending.
name = "Strain limits"
duration = 3
frame_rate = 30

[solver]
method = "local-global"
iterations = 30
"""

VOLUME_WEIGHTS = """\
# Bars with different weights of shape and of volume (Liu 2018, figure 6.2): the back row resists changes of shape more and more from left to
# right, the front row changes of volume. One step per 30 Hz frame. Written by make.py.
#
# The thesis gives no numbers. Fixed here once:
# - Bars of 0.3 m x 1 m x 0.3 m with 6 x 20 x 6 cells, 100 kg/m^3, that stand on one end, which is held, and are pulled up by half their
#   length at the other.
# - The back row has 2 mu = 1, 4 and 16 kPa, and 4 kPa against changes of volume; the front row 1 kPa, and 0, 4 and 16 kPa.
name = "Volume weights"
duration = 2
frame_rate = 30

[solver]
method = "local-global"
iterations = 30
"""

MATERIALS = """\
# One shape under the same load in many materials (Liu 2018, figure 7.1), one step per 30 Hz frame. Written by make.py.
#
# The thesis shows corotated linear elasticity, St. Venant-Kirchhoff, Neo-Hookean, a polynomial material and two splines: A is Neo-Hookean with
# more resistance to compression, B with more to tension. What it leaves open is fixed here once:
# - A teddy of 1 m with cells of 6 cm that hangs by its head, in gravity; mu = 400 Pa, lambda = 1600 Pa, 50 kg/m^3.
# - The splines: a' = mu x and c' = (lambda log J - mu) / J at control points; A has a' less 2 mu (1 - x)^2 below x = 1, B times
#   1 + 2 (x - 1) above.
# - The polynomial material gives way near rest: it has a hundred times the modulus.
name = "Materials"
duration = 3
frame_rate = 30

[solver]
method = "lbfgs"
iterations = 10
"""

BRUSH = """\
# A brush that sweeps over a rigid ball (Liu 2018, figure 5.4): its bristles collide with the ball and with each other. One step per 30 Hz frame.
# Written by make.py.
#
# The thesis gives no numbers. Fixed here once:
# - 12 x 12 bristles of 0.4 m with 20 springs each, 2 cm apart and 1 cm thick, held at their upper ends, where two vertices keep them upright;
#   against bending they have springs of their own. They keep 1.6 cm from each other.
# - The ball has 0.12 m; the brush goes to and fro over it by 0.7 m.
name = "Brush"
duration = 4
frame_rate = 30

[solver]
method = "lbfgs"
iterations = 20

[contact]
thin_distance = 0.016

[[obstacle]]
name = "ball"
shape = { kind = "sphere", radius = 0.12 }
translate = [0, -0.27, 0]
contact = "springs"
stiffness = 200
friction = 0.1
"""

SKIRT = """\
# A skirt on somebody who dances (Liu 2018, figure 5.5): cloth against moving capsules and against itself. One step per 30 Hz frame.
# Written by make.py.
#
# The thesis uses models of others. Fixed here once:
# - A round skirt of 0.62 m with 44 rings of vertices, of triangles that resist stretch and shear and springs against bending; its middle is
#   the waist and turns with the hips, by 60 degrees to and fro.
# - Legs, hips, body and head are capsules and balls; the legs swing sideways in turns.
# - Vertices of the skirt keep 1 cm from each other.
name = "Skirt"
duration = 6
frame_rate = 30

[solver]
method = "lbfgs"
iterations = 20

[contact]
thin_distance = 0.01
"""


def strain_limit():
    text = STRAIN_LIMIT
    for i, limit in enumerate((0.1, 0.2, 0.3)):
        x = 1.3 * (i - 1)
        text += f"""
[[body]]
name = "within-{round(100 * limit)}"
shape = {{ kind = "cloth", length = 1, width = 1, cells = [40, 40, 1], thickness = 0.001 }}
translate = [{x:g}, 0, 0]
material = {{ model = "strain-limited", young = 5e5, density = 300, stretch_min = {1 - limit:g}, stretch_max = {1 + limit:g}, bending_springs = 2e-4 }}
damping = {{ ether = 1 }}
"""
        for side in (-1, 1):
            text += f"""[[body.script]]
region = {{ sphere = {{ center = [{x + 0.5 * side:g}, 0, -0.5], radius = 0.001 }} }}
keys = [{{ time = 0 }}, {{ time = 0.5, translate = [{-0.1 * side:g}, 0, 0] }}]
interpolation = "smooth"
"""
    return text


def volume_weights():
    text = VOLUME_WEIGHTS
    rows = {"shape": [(1, 4), (4, 4), (16, 4)], "volume": [(1, 0), (1, 4), (1, 16)]}
    for row, (name, weights) in enumerate(rows.items()):
        for column, (shape, volume) in enumerate(weights):
            x, z = 0.8 * (column - 1), 1.2 * row
            text += f"""
[[body]]
name = "{name}-{column + 1}"
shape = {{ kind = "box", size = [0.3, 1, 0.3], cells = [6, 20, 6] }}
translate = [{x:g}, 0.5, {z:g}]
material = {{ model = "as-rigid-as-possible", young = {1000 * shape}, poisson = 0, density = 100, volume = {1000 * volume} }}
damping = {{ ether = 1 }}
[[body.script]]
region = {{ plane = {{ point = [0, 0.001, 0], normal = [0, -1, 0] }} }}
[[body.script]]
region = {{ plane = {{ point = [0, 0.999, 0], normal = [0, 1, 0] }} }}
keys = [{{ time = 0 }}, {{ time = 1, translate = [0, 0.5, 0] }}]
interpolation = "smooth"
"""
    return text


def materials():
    mu, lam = 400.0, 1600.0
    young, poisson = mu * (3 * lam + 2 * mu) / (lam + mu), lam / (2 * (lam + mu))
    c = ", ".join(f"{J:g}, {(lam * math.log(J) - mu) / J:.4g}" for J in (0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3))

    def spline(slope):
        a = ", ".join(f"{x:g}, {mu * slope(x):.4g}" for x in (0.25, 0.5, 0.75, 1, 1.25, 1.5, 2))
        return f'model = "spline", young = {young:g}, spline = {{ a = [{a}], c = [{c}] }}'

    models = {name: f'model = "{name}", young = {young:g}, poisson = {poisson:g}' for name in ("corotated", "st-venant-kirchhoff", "neo-hookean")}
    models["polynomial"] = f'model = "polynomial", young = {100 * young:g}, poisson = {poisson:g}'
    models["spline-a"] = spline(lambda x: x - 2 * max(0, 1 - x) ** 2)
    models["spline-b"] = spline(lambda x: x * max(1, 1 + 2 * (x - 1)))
    text = MATERIALS
    for i, (name, model) in enumerate(models.items()):
        text += f"""
[[body]]
name = "{name}"
shape = {{ kind = "teddy", extent = 1, cell = 0.06 }}
translate = [{1.1 * (i - 2.5):g}, 0, 0]
material = {{ {model}, density = 50 }}
damping = {{ ether = 0.5 }}
[[body.script]]
region = {{ plane = {{ point = [0, 0.35, 0], normal = [0, 1, 0] }} }}
"""
    return text


def brush():
    text, side, apart = BRUSH, 12, 0.02
    for i in range(side * side):
        x, z = apart * (i % side - (side - 1) / 2) - 0.35, apart * (i // side - (side - 1) / 2)
        text += f"""
[[body]]
name = "bristle-{i + 1}"
shape = {{ kind = "strand", length = 0.4, cells = [20, 1, 1], thickness = 0.01 }}
rotate = {{ axis = [0, 0, 1], angle = 90 }}
translate = [{x:.4g}, 0, {z:.4g}]
material = {{ young = 1e6, density = 300, bending_springs = 0.3 }}
damping = {{ ether = 1 }}
[[body.script]]
region = {{ plane = {{ point = [0, 0.179, 0], normal = [0, 1, 0] }} }}
keys = [{{ time = 0 }}, {{ time = 1.8, translate = [0.7, 0, 0] }}, {{ time = 2.2, translate = [0.7, 0, 0] }}, {{ time = 4, translate = [0, 0, 0] }}]
interpolation = "smooth"
"""
    return text


def skirt():
    text = SKIRT
    beats = 6

    def swing(sign):
        keys = ["{ time = 0 }"]
        for beat in range(beats):
            angle = 35 * sign if (beat % 2 == 0) == (sign > 0) else 0
            keys.append(f"{{ time = {0.5 + 0.9 * beat:g}, angle = {angle} }}")
        return ", ".join(keys)

    for name, sign in (("left", -1), ("right", 1)):
        text += f"""
[[obstacle]]
name = "{name}-leg"
shape = {{ kind = "capsule", radius = 0.075, length = 0.75 }}
translate = [{0.1 * sign:g}, -0.475, 0]
contact = "springs"
stiffness = 60
friction = 0.2
motion = {{ center = [{0.1 * sign:g}, -0.1, 0], axis = [0, 0, 1], keys = [{swing(sign)}], interpolation = "smooth" }}
"""
    for name, shape, height in (("hips", 'kind = "ellipsoid", radii = [0.19, 0.13, 0.14]', -0.1), ("chest", 'kind = "capsule", radius = 0.11, length = 0.3', 0.24),
                                ("head", 'kind = "sphere", radius = 0.1', 0.66)):
        text += f"""
[[obstacle]]
name = "{name}"
shape = {{ {shape} }}
translate = [0, {height:g}, 0]
contact = "springs"
stiffness = 60
friction = 0.2
"""
    turns = ", ".join(f"{{ time = {t:g}, angle = {60 * s} }}" for t, s in ((0, 0), (1, 1), (2.2, -1), (3.4, 1), (4.6, -1), (5.8, 0)))
    return text + f"""
[[body]]
name = "skirt"
shape = {{ kind = "cloth-disc", radius = 0.62, cells = [44, 1, 1], thickness = 0.001 }}
material = {{ model = "as-rigid-as-possible", young = 5e4, poisson = 0.3, density = 200, bending_springs = 0.002 }}
damping = {{ ether = 1 }}
[[body.script]]
region = {{ sphere = {{ center = [0, 0, 0], radius = 0.145 }} }}
keys = [{turns}]
interpolation = "smooth"
"""


if __name__ == "__main__":
    for scene in (strain_limit, volume_weights, materials, brush, skirt):
        (FOLDER / f"{scene.__name__.replace('_', '-')}.toml").write_text(scene())
