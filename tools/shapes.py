#!/usr/bin/env python3
"""Meshes every shape of the gallery, draws it, and writes the tables of docs/meshes.md: what lies there between the marks. Draws thin shapes
too, as they hang."""

import argparse
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/meshes.md"
PICTURE, THIN_PICTURE = "pictures/shapes.png", "pictures/thin.png"
BEGIN, END = "<!-- written by tools/shapes.py -->\n", "<!-- end -->\n"

# Name, and how a scene says it.
SHAPES = [
    ("sphere", 'kind = "sphere", cell = 0.06'),
    ("ellipsoid", 'kind = "ellipsoid", radii = [0.6, 0.4, 0.3], cell = 0.06'),
    ("torus", 'kind = "torus", major = 0.5, minor = 0.2, cell = 0.06'),
    ("capsule", 'kind = "capsule", length = 0.8, radius = 0.25, cell = 0.06'),
    ("cylinder", 'kind = "cylinder", radius = 0.4, height = 1, cell = 0.06, fit = "edges"'),
    ("cone", 'kind = "cone", radius = 0.5, height = 1, cell = 0.06, fit = "edges"'),
    ("box, sharp", 'kind = "box", size = [1, 0.7, 0.5], cell = 0.06, fit = "edges"'),
    ("box, rounded", 'kind = "box", size = [1, 0.7, 0.5], round = 0.12, cell = 0.06'),
    ("plate", 'kind = "plate", size = [1.2, 0.2, 1], hole = 0.3, cell = 0.05, fit = "edges"'),
    ("bowl", 'kind = "bowl", radius = 0.6, thickness = 0.12, cell = 0.04'),
    ("union", 'kind = "union", cell = 0.05, parts = [{ kind = "box", size = [0.9, 0.5, 0.5] }, { kind = "sphere", radius = 0.38, '
              'translate = [0.35, 0.2, 0] }]'),
    ("smooth-union", 'kind = "smooth-union", blend = 0.3, cell = 0.05, parts = [{ kind = "box", size = [0.9, 0.5, 0.5] }, '
                     '{ kind = "sphere", radius = 0.38, translate = [0.35, 0.2, 0] }]'),
    ("difference", 'kind = "difference", cell = 0.05, fit = "edges", parts = [{ kind = "box", size = [0.9, 0.8, 0.8] }, { kind = "sphere", '
                   'radius = 0.45, translate = [0.45, 0.4, 0.4] }]'),
    ("intersection", 'kind = "intersection", cell = 0.05, fit = "edges", parts = [{ kind = "box", size = [0.8, 0.8, 0.8] }, '
                     '{ kind = "sphere", radius = 0.52 }]'),
    ("shell, cut open", 'kind = "difference", cell = 0.035, parts = [{ kind = "shell", thickness = 0.12, parts = [{ kind = "ellipsoid", radii = '
                        '[0.6, 0.5, 0.5] }] }, { kind = "box", size = [2, 2, 2], translate = [0, 1, 1] }]'),
    ("graded", 'kind = "difference", cell = 0.04, grading = 0.6, parts = [{ kind = "sphere", radius = 0.6 }, '
               '{ kind = "box", size = [2, 2, 2], translate = [0, 1, 1] }]'),
    ("creature", 'kind = "creature", extent = 1.1, cell = 0.03'),
    ("duck", 'kind = "duck", extent = 1.1, cell = 0.03'),
    ("hippo", 'kind = "hippo", extent = 1.2, cell = 0.03'),
    ("teddy", 'kind = "teddy", extent = 1.1, cell = 0.03'),
]


def numbers(report):
    """What `pliant mesh` printed, as a row."""
    def found(pattern):
        return re.search(pattern, report, re.MULTILINE).groups()

    (vertices,) = found(r"^vertices +(\d+)")
    (tets,) = found(r"^tetrahedra +(\d+)")
    low, high = found(r"^angles +([\d.]+) to ([\d.]+)")
    least, mean = found(r"^shape +([\d.]+) at least, ([\d.]+)")
    degenerate, inverted = found(r"^degenerate +(\d+), inverted (\d+)")
    assert degenerate == inverted == "0", report
    return f"{vertices} | {tets} | {low} | {high} | {least} | {mean}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/release/pliant")
    program = parser.parse_args().program.resolve()
    out = ROOT / "out/shapes"
    out.mkdir(parents=True, exist_ok=True)
    rows, scene = [], ['name = "Shapes"', "duration = 1.0", "gravity = [0, 0, 0]"]
    columns = 5
    for place, (name, shape) in enumerate(SHAPES):
        report = subprocess.run([program, "mesh", "--shape", "{ " + shape + " }"], check=True, capture_output=True, text=True).stdout
        rows.append(f"| {name} | {numbers(report)} |")
        x, y = 1.6 * (place % columns), -1.5 * (place // columns)
        turn = "{ axis = [0, 1, 0], angle = -35 }" if name in ("creature", "duck", "hippo") else "{ axis = [1, 0.3, 0], angle = 20 }"
        scene += ["[[body]]", f'name = "{re.sub("[^a-z]+", "-", name)}"', "shape = { " + shape + " }", f"rotate = {turn}",
                  f"translate = [{x}, {y}, 0]"]
    (out / "shapes.toml").write_text("\n".join(scene) + "\n")
    subprocess.run([program, "run", out / "shapes.toml", "-o", out / "run", "--overwrite", "--frames", "0", "--quiet"], check=True)
    subprocess.run([program, "render", out / "run", "-o", out / "pictures", "--frames", "0", "--no-ground", "--edges", "--width", "1800",
                    "--height", "1400", "--camera", "3.2,-1.5,14", "--look-at", "3.2,-2.25,0", "--field-of-view", "27"], check=True)
    (ROOT / "docs" / PICTURE).write_bytes((out / "pictures/000000.png").read_bytes())

    large = subprocess.run([program, "mesh", "--shape", "torus major=0.5 minor=0.2 cell=0.0105"], check=True, capture_output=True, text=True)
    (tets,) = re.search(r"^tetrahedra +(\d+)", large.stdout, re.MULTILINE).groups()
    (seconds,) = re.search(r"meshed in ([\d.]+) s", large.stdout + large.stderr).groups()

    page = PAGE.read_text()
    start, stop = page.index(BEGIN) + len(BEGIN), page.index(END)
    names = ", ".join(name for name, _ in SHAPES)
    table = [f"![The gallery, row by row: {names}]({PICTURE})", "",
             f"Row by row: {names}.", "",
             "| shape | vertices | tetrahedra | smallest angle | largest angle | worst shape | mean shape |",
             "| --- | --- | --- | --- | --- | --- | --- |", *rows, "",
             f"A torus of {int(tets):,} tetrahedra was meshed in {float(seconds):.1f} s on {os.cpu_count()} cores "
             "(`pliant mesh --shape 'torus major=0.5 minor=0.2 cell=0.0105'`).", ""]
    PAGE.write_text(page[:start] + "\n".join(table) + page[stop:])

    subprocess.run([program, "run", "shapes/thin", "-o", out / "thin", "--overwrite", "--quiet"], check=True)
    subprocess.run([program, "render", out / "thin", "-o", out / "thin-pictures", "--frames", "0,47", "--montage", "--columns", "1", "--no-ground",
                    "--width", "1200", "--height", "420", "--camera", "2.2,0.8,6.5", "--look-at", "2.2,-0.35,0", "--field-of-view", "19"],
                   check=True)
    (ROOT / "docs" / THIN_PICTURE).write_bytes((out / "thin-pictures/montage.png").read_bytes())
    print(f"wrote {PAGE.relative_to(ROOT)}, docs/{PICTURE} and docs/{THIN_PICTURE}")


if __name__ == "__main__":
    main()
