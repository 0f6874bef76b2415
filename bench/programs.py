#!/usr/bin/env python3
"""Times whole runs of the program and writes them as JSON: the soft bar at three sizes, and a pulled cube at four.

usage: bench/programs.py PROGRAM OUT.json
"""

import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

# Another program (STARK: projected Newton, block-Jacobi conjugate gradients, matrix in single precision) on the same bars, seconds a frame
# with two threads on a machine of the same class.
BARS = {30: 0.018, 60: 0.101, 87: 0.437}
CUBES = (11, 18, 29, 46)  # cells a side: 5, 20, 80 and 310 thousand unknowns


def run(program, scene, frames, *options):
    """Runs a scene and returns its summary and its steps."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "run"
        command = [program, "run", scene, "-o", out, "--quiet", "--frames", str(frames), *options]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))} ended with exit code {done.returncode}: {done.stderr}")
        with open(out / "steps.csv") as steps:
            return json.loads((out / "summary.json").read_text()), list(csv.DictReader(steps))


def mean(rows, column):
    return sum(float(row[column]) for row in rows) / len(rows)


def bars(program):
    """A swing of one second; the first step, from rest, is left out, as there is nothing to guess from."""
    results = []
    for size, peer in BARS.items():
        summary, rows = run(program, HERE / "bar" / f"bar-{size}.toml", 30)
        rows = rows[1:]
        seconds = mean(rows, "seconds_step")
        results.append({
            "vertices_along": size, "dofs": summary["dofs"], "elements": summary["elements"], "seconds_per_frame": seconds,
            "peer_seconds_per_frame": peer, "ratio": seconds / peer, "newton_per_frame": mean(rows, "iterations"),
            "cg_per_frame": mean(rows, "cg_iterations"),
            "worst_residual_ratio": max(float(row["residual"]) / float(row["first_residual"]) for row in rows),
            "seconds_assembly": mean(rows, "seconds_assembly"), "seconds_linear_solve": mean(rows, "seconds_linear_solve"),
            "seconds_line_search": mean(rows, "seconds_line_search"), "peak_memory_bytes": summary["peak_memory_bytes"],
        })
        print("bar {vertices_along:3}: {seconds_per_frame:.4f} s a frame ({ratio:.2f} of the peer's), {newton_per_frame:.1f} Newton and "
              "{cg_per_frame:.0f} CG iterations, residual ratio at most {worst_residual_ratio:.1e}".format(**results[-1]), flush=True)
    return results


def scaling(program):
    """The pulled cube of gast-2015/stretch, finer and finer, and the exponent of the time with the number of unknowns."""
    results = []
    for cells in CUBES:
        summary, rows = run(program, "gast-2015/stretch", 24, "--set", f"body.0.shape.cells=[{cells},{cells},{cells}]")
        results.append({"dofs": summary["dofs"], "seconds_per_frame": mean(rows, "seconds_step"), "solves_per_step": mean(rows, "linear_solves"),
                        "cg_per_solve": mean(rows, "cg_iterations") / mean(rows, "linear_solves"),
                        "peak_memory_bytes": summary["peak_memory_bytes"]})
        print("stretch, {dofs} dofs: {seconds_per_frame:.3f} s a frame, {solves_per_step:.1f} solves, {cg_per_solve:.0f} CG iterations each"
              .format(**results[-1]), flush=True)
    first, last = results[0], results[-1]
    exponent = math.log(last["seconds_per_frame"] / first["seconds_per_frame"]) / math.log(last["dofs"] / first["dofs"])
    print(f"seconds grow with dofs to the power {exponent:.2f}")
    return {"runs": results, "exponent": exponent}


def main():
    program, out = sys.argv[1:]
    results = {"bars": bars(program), "stretch": scaling(program)}
    pathlib.Path(out).write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
