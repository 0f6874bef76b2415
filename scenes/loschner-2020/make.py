#!/usr/bin/env python3
"""Writes the scenes with many bodies: suspended.toml and trampolines.toml."""

import math
import pathlib
import random

FOLDER = pathlib.Path(__file__).resolve().parent

SUSPENDED = """\
# Balls are thrown at a creature that hangs by its ears and its tail (Loschner et al. 2020, section 5.5 and figure 1), in steps of 5 ms, contact as a
# quadratic program. Written by make.py.
#
# The paper gives an armadillo with 500 kg/m^3, E = 4e4 Pa, nu = 0.48 and stiffness damping of 4e-4 s, and balls thrown one after the other. What
# it leaves open is fixed here once:
# - The creature of our gallery, 1 m, held by the tips of its ears and its tail; stable Neo-Hookean like the balls.
# - Five balls of 0.3 m, 100 kg/m^3 and E = 4e4 Pa, which are moved up to 6 m/s along 0.6 m and then let go, one every 0.6 s.
name = "Suspended creature"
duration = 4
frame_rate = 25

[time]
scheme = "sdirk2"
steps_per_frame = 8

[contact]
self_collision = true
within_bodies = false
method = "program"

[[body]]
name = "creature"
shape = { kind = "creature", extent = 1, cell = 0.04 }
material = { model = "stable-neo-hookean", young = 4e4, poisson = 0.48, density = 500 }
damping = { stiffness = 4e-4 }

[[body.script]]
region = { box = { min = [-2, TIPS, -2], max = [2, 2, 2] } }
"""

THROWN = """
[[body]]
name = "ball-{number}"
shape = {{ kind = "sphere", radius = 0.15, cell = 0.06 }}
material = {{ model = "stable-neo-hookean", young = 4e4, poisson = 0.4, density = 100 }}
color = {color}
translate = {place}

[[body.script]]
region = {{ box = {{ min = [-9, -9, -9], max = [9, 9, 9] }} }}
keys = [
  {{ time = {start}, translate = [0, 0, 0] }},
  {{ time = {end}, translate = {way} }},
]
release = {end}
"""

COLORS = [[0.85, 0.3, 0.25], [0.95, 0.75, 0.2], [0.3, 0.6, 0.4], [0.3, 0.45, 0.8], [0.7, 0.4, 0.7]]


def suspended():
    text = SUSPENDED.replace("TIPS", "0.35")
    # From where each comes: angle around the creature, rad, and the height that it aims at, m.
    for number, (angle, height) in enumerate([(0, 0.0), (2.2, -0.1), (-0.6, -0.25), (3.6, 0.05), (0.9, -0.15)]):
        toward = [-math.sin(angle), 0.0, -math.cos(angle)]
        start = 0.2 + 0.6 * number
        flight = 0.15  # s from being let go to the middle of the creature, m and s
        speed, run = 6.0, 0.6
        rise = 9.81 * flight / 2  # upward speed against the fall in flight
        place = [round(-(run + speed * flight + 0.1) * toward[0], 4), round(height - rise * run / speed, 4), round(-(run + speed * flight + 0.1) * toward[2], 4)]
        way = [round(run * toward[0], 4), round(rise * run / speed, 4), round(run * toward[2], 4)]
        text += THROWN.format(number=number + 1, color=COLORS[number % len(COLORS)], place=place, way=way, start=round(start, 3), end=round(start + run / speed, 3))
    (FOLDER / "suspended.toml").write_text(text)


TRAMPOLINES = """\
# Thirty ducks fall through a maze of ten trampolines (Loschner et al. 2020, section 5.5 and figure 1), contact as a quadratic program. Written by
# make.py.
#
# The paper gives ducks with 250 kg/m^3, E = 5e4 Pa, nu = 0.4, mass damping of 5e-3 1/s and stiffness damping of 5e-3 s; thin trampolines held at
# their corners with 1000 kg/m^3, E = 1e6 Pa, nu = 0.4 and damping of 5e-4 each. What it leaves open is fixed here once:
# - Ducks of 0.3 m; trampolines of 1 m, 3 cm thick, 16 x 16 x 1 hexahedra, stable Neo-Hookean both.
# - Trampolines in five pairs, one above the other, tilted inwards and outwards by turns, and a floor.
# - Ducks come down three by three and are let go, every 0.3 s.
# - Steps of STEP ms: a duck that falls from one pair to the next must not go through half the thickness of a trampoline in one.
name = "Duck trampolines"
duration = 8
frame_rate = 25

[time]
scheme = "sdirk2"
steps_per_frame = 16

[contact]
self_collision = true
within_bodies = false
method = "program"

[[obstacle]]
name = "floor"
shape = {{ kind = "plane", normal = [0, 1, 0] }}
contact = "program"
friction = 0.5
translate = [0, {floor}, 0]
"""

TRAMPOLINE = """
[[body]]
name = "trampoline-{number}"
shape = {{ kind = "box", size = [1, 0.03, 1], cells = [16, 1, 16], elements = "hexahedra" }}
material = {{ model = "stable-neo-hookean", young = 1e6, poisson = 0.4, density = 1000 }}
damping = {{ stiffness = 5e-4, mass = 5e-4 }}
color = [0.35, 0.5, 0.75]
rotate = {{ axis = [0, 0, 1], angle = {angle} }}
translate = {place}
"""

CORNER = """
[[body.script]]
region = {{ sphere = {{ center = {center}, radius = 0.06 }} }}
"""

DUCK = """
[[body]]
name = "duck-{number}"
shape = {{ kind = "duck", extent = 0.3, cell = 0.045 }}
material = {{ model = "stable-neo-hookean", young = 5e4, poisson = 0.4, density = 250 }}
damping = {{ stiffness = 5e-3, mass = 5e-3 }}
color = [0.95, 0.8, 0.2]
rotate = {{ axis = [0, 1, 0], angle = {angle} }}
translate = {place}
"""

WAITING = """
[[body.script]]
region = {{ box = {{ min = [-9, -9, -9], max = [9, 9, 9] }} }}
keys = [
  {{ time = 0, translate = [0, 0, 0] }},
  {{ time = {end}, translate = [0, {fall}, 0] }},
]
release = {end}
"""


def trampolines():
    levels, apart = 5, 0.8
    text = TRAMPOLINES.replace("STEP", "2.5").format(floor=-levels * apart)
    chance = random.Random(1)
    number = 0
    for level in range(levels):
        inwards = level % 2 == 0
        for side in (-1, 1):
            number += 1
            # The lower pairs that lead inwards catch what jumps off above: they lie further out, and are steeper.
            angle = math.radians(-9 if not inwards else 14 if level == 0 else 24) * side
            place = [side * (0.5 if not inwards else 0.78 if level == 0 else 1.4), round(-apart * level, 3), 0]
            text += TRAMPOLINE.format(number=number, angle=round(math.degrees(angle)), place=place)
            for x in (-0.5, 0.5):
                for z in (-0.5, 0.5):
                    text += CORNER.format(center=[round(place[0] + x * math.cos(angle), 4), round(place[1] + x * math.sin(angle), 4), z])
    for duck in range(30):
        row, column = divmod(duck, 3)
        place = [round((column - 1) * 0.65 + chance.uniform(-0.1, 0.1), 3), round(0.7 + 0.35 * row, 3), round(chance.uniform(-0.25, 0.25), 3)]
        text += DUCK.format(number=duck + 1, angle=round(chance.uniform(0, 360)), place=place)
        if row > 0:
            text += WAITING.format(end=round(0.3 * row, 3), fall=round(0.7 - place[1], 3))
    (FOLDER / "trampolines.toml").write_text(text)


suspended()
trampolines()
