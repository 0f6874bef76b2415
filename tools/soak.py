#!/usr/bin/env python3
"""Runs random scenes and looks for crashes, hangs, numbers that are not finite and steps that do not converge.

Scene number i of a seed is the same on every machine, with every scheme and however many scenes are run. Scenes with something wrong stay in
OUT, each in a folder of its own with its scene file, its run and what the program said. Exit code 1 if a scene crashed, hung or gave a number that
is not finite, or if fewer steps than --least converged.
"""

import argparse
import collections
import concurrent.futures
import csv
import math
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CONVERGED = ("converged", "converged-to-roundoff")
MOST_ITERATIONS = 2000  # that is asked here is whether a step converges; those slower than scenes allow by default are counted
SLOW = 500


def toml(value):
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + " }"
    return repr(value)


class Draw(random.Random):
    def log(self, low, high):
        return math.exp(self.uniform(math.log(low), math.log(high)))

    def vector(self, length):
        """In a random direction."""
        ball = [self.gauss(0, 1) for _ in range(3)]
        return [length * x / math.hypot(*ball) for x in ball]

    def chance(self, share):
        return self.random() < share


def random_cells(draw, vertices):
    most = max(8, round(1.5 * vertices ** (1 / 3)))
    while True:
        cells = [draw.randint(1, most) for _ in range(3)]
        if math.prod(n + 1 for n in cells) <= vertices:
            return cells


def with_control_points(material):
    """Splines are weak near rest and strong far from it."""
    if material["model"] == "spline":
        young = material["young"]
        material["spline"] = {"a": [0, -2 * young, 0.7, -0.1 * young, 1, 0, 1.3, 0.1 * young, 2, young], "c": [0, -young, 1, 0, 2, young]}
    return material


def random_material(draw, models):
    poisson = draw.choice([0, 0.49, draw.uniform(0, 0.49), draw.uniform(0, 0.49)])
    material = {"model": draw.choice(models), "young": draw.log(1e2, 1e8), "poisson": poisson, "density": draw.log(10, 1e4)}
    return with_control_points(material)


def random_start(draw, forbids_inversion):
    """Where the body starts and how it moves. Materials that forbid inversion start stretched at most."""
    start = {}
    kind = draw.choice(["rest", "stretched"] if forbids_inversion else
                       ["rest", "stretched", "mirrored", "blended", "random", "point", "plane", "line"])
    if kind == "stretched":
        start["stretch"] = [draw.log(0.3, 3) for _ in range(3)]
    elif kind == "mirrored":
        start["stretch"] = [draw.log(0.3, 3), -draw.log(0.3, 3), draw.log(0.3, 3)]
    elif kind == "blended":
        start["randomise"] = draw.random()
    elif kind == "random":
        start["randomise"] = 1.0
    elif kind == "point":
        start["collapse"] = draw.vector(draw.uniform(0, 1))
    elif kind in ("plane", "line"):
        start["stretch"] = [1, 0, 0] if kind == "line" else [1, 0, 1]
    if draw.chance(0.3):
        start["rotate"] = {"axis": draw.vector(1), "angle": draw.uniform(-180, 180)}
    if draw.chance(0.6):
        start["velocity"] = draw.vector(draw.log(0.01, 100))
    if draw.chance(0.3):
        start["spin"] = draw.vector(draw.log(0.1, 50))
    return start


def random_keys(draw, size, duration, gentle):
    """A way to go: anywhere, or, if gentle, outwards along x with a slow turn, so that no element need invert."""
    keys = [{"time": 0.0}]
    for share in sorted(draw.random() for _ in range(draw.randint(1, 2))):
        reach = draw.uniform(0, 2) * size[0]
        way = [reach, 0, 0] if gentle else draw.vector(reach)
        angle = draw.uniform(-60, 60) if gentle else draw.uniform(-720, 720)
        keys.append({"time": share * duration, "translate": way, "angle": angle})
    return keys


def random_grip(draw, cells, size, duration, gentle):
    """Scripts on the ends of the body along x; with a free layer between them where it can matter."""
    lines = []
    ends = [-1, 1] if cells[0] > 2 and draw.chance(0.4) else [draw.choice([-1, 1])]
    for end in ends:
        plane = {"point": [0.4999 * end * size[0], 0, 0], "normal": [end, 0, 0]}
        lines += ["[[body.script]]", "region = " + toml({"plane": plane}), 'axis = [1, 0, 0]']
        if draw.chance(0.6):
            keys = random_keys(draw, size, duration, gentle)
            for key in keys[1:] if gentle else []:
                key["translate"][0] *= end
            lines += ["keys = " + toml(keys), f'interpolation = "{draw.choice(["linear", "smooth"])}"']
        if draw.chance(0.3):
            lines.append(f"release = {draw.uniform(0, duration)!r}")
    return lines


def random_attachment(draw, cells, size, duration, gentle):
    count = math.prod(n + 1 for n in cells)
    region = {"indices": draw.sample(range(count), draw.randint(1, min(count, 8)))}
    if draw.chance(0.3):
        region = {"plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}
    lines = ["[[body.attachment]]", "region = " + toml(region), f"stiffness = {draw.log(1, 1e6)!r}"]
    if draw.chance(0.5):
        lines.append("keys = " + toml(random_keys(draw, size, duration, gentle)))
    return lines


def random_body(draw, vertices, duration, models, forbidding):
    cells = random_cells(draw, vertices)
    size = [draw.log(0.1, 4) for _ in range(3)]
    material = random_material(draw, models)
    forbids_inversion = material["model"] in forbidding
    grip = random_grip(draw, cells, size, duration, forbids_inversion) if draw.chance(0.4) else []
    start = random_start(draw, forbids_inversion)
    if forbids_inversion and grip:
        start = {}  # a script holds the rest shape: the ends must fit what is between them
    shape = {"kind": "box", "size": size, "cells": cells, "tets_per_cell": draw.choice([5, 6])}
    lines = ["[[body]]", "shape = " + toml(shape), "material = " + toml(material)]
    if draw.chance(0.3):
        lines.append("damping = " + toml({"stiffness": draw.log(1e-5, 0.1), "mass": draw.log(0.01, 10)}))
    if start:
        lines.append("start = " + toml(start))
    lines += grip
    if draw.chance(0.25):
        lines += random_attachment(draw, cells, size, duration, forbids_inversion)
    return lines


def random_scene(seed, number, steps, models, forbidding):
    draw = Draw(f"{seed} {number}")
    rate = draw.log(1, 2400)
    bodies = draw.choice([1, 1, 2, 3])
    vertices = 3000 if draw.chance(0.05) else 300  # of a few scenes: enough for several lattices and chunks of rows
    gravity = draw.choice([[0, -9.81, 0], [0, 0, 0], draw.vector(draw.log(0.1, 100))])
    lines = [f'name = "Soak {number}"', f"duration = {steps / rate!r}", f"frame_rate = {rate!r}", f"gravity = {toml(gravity)}",
             f"seed = {number}", "[solver]", f"max_iterations = {MOST_ITERATIONS}"]
    for _ in range(bodies):
        lines += random_body(draw, vertices // bodies, steps / rate, models, forbidding)
    return "\n".join(lines) + "\n"


def finite_frame(path):
    data = path.read_bytes()
    start = 10 + int.from_bytes(data[8:10], "little")
    return all(map(math.isfinite, struct.unpack(f"<{(len(data) - start) // 4}f", data[start:])))


def finite_row(row):
    return all(key == "status" or (key == "smallest_gap" and value == "") or math.isfinite(float(value))
               for key, value in row.items())


def examine(folder, steps, exit_code):
    """The statuses of all steps, and what is wrong: a list of texts."""
    if exit_code not in (0, 3):
        return [], [f"exit code {exit_code}"]
    with open(folder / "run/steps.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    wrong = [f"step {row['step']}: {row['status']}, residual {row['residual']}, {row['iterations']} iterations" for row in rows
             if row["status"] not in CONVERGED]
    wrong += [f"step {row['step']}: a number is not finite" for row in rows if not finite_row(row)]
    wrong += [f"{path.name}: a position is not finite" for path in sorted((folder / "run/frames").glob("*.npy"))
              if not finite_frame(path)]
    if len(rows) != steps:
        wrong.append(f"{len(rows)} steps instead of {steps}")
    return rows, wrong


class Soak:
    def __init__(self, options):
        self.options = options
        self.program = str(options.program.resolve())
        self.out = options.out.resolve()
        self.models = self.list_models()
        self.forbidding = [model for model in self.models if not self.may_collapse(model)]

    def list_models(self):
        text = subprocess.run([self.program, "list"], capture_output=True, text=True, check=True).stdout
        block = text.split("body.material.model\n")[1].split("\n\n")[0]
        models = [line.split()[0] for line in block.splitlines()]
        return [model for model in models if model != "springs"]  # all bodies here are solids

    def may_collapse(self, model):
        scene = self.out / "collapsed.toml"
        scene.parent.mkdir(parents=True, exist_ok=True)
        material = with_control_points({"model": model, "young": 1e5})
        scene.write_text(f'name = "x"\nduration = 1\n[[body]]\nshape = {{ kind = "box" }}\nmaterial = {toml(material)}\n'
                         "start = { collapse = [0, 0, 0] }\n")
        done = subprocess.run([self.program, "check", scene], capture_output=True)
        scene.unlink()
        return done.returncode == 0

    def run(self, number):
        options = self.options
        folder = self.out / f"{options.scheme}-{options.seed}-{number:05}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "scene.toml").write_text(random_scene(options.seed, number, options.steps, self.models, self.forbidding))
        command = [self.program, "run", folder / "scene.toml", "-o", folder / "run", "--quiet", "--threads", "1", "--set",
                   f"time.scheme={options.scheme}"]
        for item in options.set:
            command += ["--set", item]
        with open(folder / "said.txt", "w") as said:
            try:
                exit_code = subprocess.run(command, stdout=said, stderr=said, timeout=options.limit).returncode
            except subprocess.TimeoutExpired:
                exit_code = f"none: not done after {options.limit} s"
        rows, wrong = examine(folder, options.steps, exit_code)
        if not wrong:
            shutil.rmtree(folder)
        return number, rows, wrong

    def report(self, results):
        statuses, iterations, slow, broken = collections.Counter(), 0, 0, 0
        for number, rows, wrong in results:
            statuses.update(row["status"] for row in rows)
            iterations += sum(int(row["iterations"]) for row in rows)
            slow += sum(int(row["iterations"]) > SLOW for row in rows)
            broken += any(": stalled," not in text and ": iteration-limit," not in text for text in wrong)
            if wrong:
                print(f"scene {number}: " + "; ".join(wrong), flush=True)
        steps = sum(statuses.values())
        share = sum(statuses[status] for status in CONVERGED) / max(steps, 1)
        print(f"{self.options.count} scenes, {steps} steps, {iterations / max(steps, 1):.1f} iterations a step, in {slow} steps more than {SLOW}")
        for status, count in statuses.most_common():
            print(f"  {status:<24}{count:>8}  {100 * count / steps:.3f}%")
        print(f"{100 * share:.3f}% of the steps converged with {self.options.scheme}; {broken} scenes broke (crash, hang or a number that is not finite)")
        return 0 if broken == 0 and share >= self.options.least else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/release/pliant")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "out/soak")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first scene")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scheme", default="backward-euler", help="time.scheme of all scenes: any that pliant list names")
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--limit", type=float, default=300, help="seconds after which a scene counts as hung")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="scenes at a time")
    parser.add_argument("--least", type=float, default=1.0, help="share of the steps that must converge")
    parser.add_argument("--set", action="append", default=[], help="handed to pliant run", metavar="KEY=VALUE")
    options = parser.parse_args()
    soak = Soak(options)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        return soak.report(pool.map(soak.run, range(options.first, options.first + options.count)))


if __name__ == "__main__":
    sys.exit(main())
