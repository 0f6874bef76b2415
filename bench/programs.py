#!/usr/bin/env python3
"""Times whole runs of the program and writes them as JSON: the soft bar at three sizes and with two schemes, it and cloth with ten iterations a frame and
with more and fewer, a pulled cube at four sizes, and where the time goes.

usage: bench/programs.py PROGRAM OUT.json
"""

import array
import csv
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

# Another program (STARK: projected Newton, block-Jacobi conjugate gradients, matrix in single precision) on the same bars, seconds a frame
# with two threads on an Intel Xeon.
BARS = {30: 0.018, 60: 0.101, 87: 0.437}
MACHINE = {}  # as the runs say
# The code that Liu 2018 comes with, 10 iterations of L-BFGS with two threads in double precision on an Intel Xeon: seconds a
# frame by material and bar, and 10 iterations of local-global on cloth.
QUASI_NEWTON = {"neo-hookean": {30: 0.020, 60: 0.283, 87: 1.63}, "corotated": {30: 0.057, 60: 0.469, 87: 2.25}, "spline": {}}
CLOTHS = {80: 0.0234, 200: 0.351, 400: None}  # by cells a side
# What these iterations leave of the length of the gradient, on the bars: at worst and at best. What they leave on cloth is not known.
QUASI_NEWTON_LEAVES = (0.6, 5e-5)
# What we aim at with two threads: seconds a frame on the larger bars, a fifth of that code's time on cloth, and half of its memory at the
# largest bar.
AIMS = {"neo-hookean": {60: 0.033, 87: 0.2}, "corotated": {60: 0.06, 87: 0.3}}
MEMORY_AIM = {87: 1369e6 / 2}
# Neo-Hookean as a spline of its functions of single stretches and of the volume; mu = 80 Pa and lambda = 20 Pa as the bars have.
SPLINE = [[x, 80 * x] for x in (0.2, 0.5, 0.8, 1, 1.2, 1.5, 2)], [[J, (20 * math.log(J) - 80) / J] for J in (0.2, 0.5, 0.8, 1, 1.2, 1.5, 2)]
CUBES = (11, 18, 29, 46)  # cells a side: 5, 20, 80 and 310 thousand unknowns

# What is profiled: a scene, how many frames of it, options. Of random-medium the beginning of the first step.
PROFILES = {"stretch": (72, ()), "random-medium": (1, ("--set", "solver.max_iterations=40"))}

# Functions belong to the first part of the program that names them.
PARTS = {
    "element Hessians": "add_hessian",
    "element energies and gradients": "evaluate_range|log1p|log_positive",
    "products with the matrix": "block_product|pliant::multiply_chunk",
    "lattice: its matrices": "Galerkin|LatticeMatrix::prepare|LatticePreconditioner::assign|factor_root|DenseCholesky::factor",
    "lattice: its cycles": "gather_residual|add_correction|correction_product|LatticePreconditioner|LatticeMatrix|DenseCholesky|interpolate",
    "block Jacobi": "BlockJacobi|anonymous namespace.::apply|make_definite|invert_definite",
    "vectors": "ConjugateGradient|scale_and_add|add_scaled|pliant::dot|pliant::sum|longest_vertex|__mem|evaluate_inertia|add_diagonal|fix_dofs",
    "threads that wait": "tbb|sched|futex|pause|syscall|switch_to|finish_task",
    "start, output": "build_chunk|introsort|BlockPattern|extract_surface|npy|compress|deflate|crc",
}


def run(program, scene, frames, *options):
    """Runs a scene and returns its summary and its steps."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "run"
        command = [program, "run", scene, "-o", out, "--quiet", "--frames", str(frames), *options]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))} ended with exit code {done.returncode}: {done.stderr}")
        with open(out / "steps.csv") as steps:
            summary = json.loads((out / "summary.json").read_text())
            MACHINE.update({key: summary[key] for key in ("cpu", "threads", "flags")})
            return summary, list(csv.DictReader(steps))


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


def last_places(out):
    data = sorted((out / "frames").glob("*.npy"))[-1].read_bytes()
    return array.array("f", data[10 + int.from_bytes(data[8:10], "little"):])


def material_options(material):
    if material != "spline":
        return ["--set", f"body.0.material.model={material}"]
    a, c = (str([number for point in points for number in point]) for points in SPLINE)
    return ["--set", "body.0.material.model=spline", "--set", f"body.0.material.spline.a={a}", "--set", f"body.0.material.spline.c={c}"]


FRAMES = 30  # of each run
# Residuals are lengths of gradients, as that code has them. No step is near enough to its solution to end before its iterations do.
BY_GRADIENT = ["--set", "solver.norm=gradient", "--set", "solver.tolerance=1e-300"]


def gradient_left(rows):
    """What is left at the end of a step of the gradient at its start: at worst, in the middle, at best."""
    left = sorted(float(row["residual"]) / float(row["first_residual"]) for row in rows if float(row["first_residual"]) > 0)
    return {"worst": left[-1], "middle": left[len(left) // 2], "best": left[0]} if left else None


def timed(program, scene, options, threads):
    """Of some frames, without the first, which makes what serves all of them."""
    summary, rows = run(program, scene, FRAMES, "--threads", str(threads), *BY_GRADIENT, *options)
    seconds = sorted(float(row["seconds_step"]) for row in rows[1:])
    middle = seconds[len(seconds) // 2]
    return {"threads": threads, "vertices": summary["dofs"] // 3, "seconds_per_frame": middle, "seconds_once": max(0.0, float(rows[0]["seconds_step"]) - middle),
            "iterations": [min(int(row["iterations"]) for row in rows), max(int(row["iterations"]) for row in rows)], "gradient_left": gradient_left(rows[1:]),
            "peak_memory_bytes": summary["peak_memory_bytes"]}


def interactive(program):
    """Ten iterations a frame, whatever comes of them."""
    results = []
    for threads in (1, 2):
        for material, peers in QUASI_NEWTON.items():
            for size in BARS:
                entry = timed(program, HERE / "bar" / f"bar-{size}.toml", ["--set", "solver.method=lbfgs", "--set", "solver.iterations=10", *material_options(material)], threads)
                aims = AIMS.get(material, {})
                results.append({"what": f"bar, {material}", "method": "lbfgs", "peer": peers.get(size), "aim": aims.get(size), "memory_aim": MEMORY_AIM.get(size) if aims else None, **entry})
        for cells, peer in CLOTHS.items():
            size = ["--set", f"body.0.shape.cells=[{cells},{cells},1]"]
            results.append({"what": "cloth", "method": "local-global", "peer": peer, "aim": peer / 5 if peer else None, **timed(program, HERE / "cloth/cloth.toml", size, threads)})
            by_xpbd = timed(program, HERE / "cloth/cloth.toml", [*size, "--set", "time.scheme=xpbd"], threads)
            results.append({"what": "cloth", "method": "xpbd", "peer": None, **by_xpbd, "gradient_left": None})  # it knows no other norm than that of velocities
    for entry in results:
        left = "{worst:.1e} to {best:.1e} of the gradient left".format(**entry["gradient_left"]) if entry["gradient_left"] else ""
        print("{what}, {vertices} vertices, {method}, {threads} threads: {seconds_per_frame:.4f} s a frame, {seconds_once:.2f} s once ".format(**entry) + left, flush=True)
    return results


# What error against time is measured on: a picture's name, the scene, what is changed in it, what converges for sure, the methods and their
# iterations. A factor of the Hessian of a larger body would take minutes.
EXACTLY = ["solver.iterations=0", "solver.tolerance=1e-8"]
ON_BARS = {"lbfgs": ["solver.method=lbfgs"], "newton-cg": ["solver.method=newton-cg"]}
ON_CLOTH = {"local-global": ["solver.method=local-global"], "lbfgs": ["solver.method=lbfgs"], "xpbd": ["time.scheme=xpbd"]}
COUNTS = (1, 2, 5, 10, 20, 50)
ON_LARGE = (1, 2, 5, 10, 20)


def bar_case(size, material, exact_method, counts=COUNTS):
    names = ["bar"] + ([str(size)] if size > 30 else []) + ([material] if material != "neo-hookean" else [])
    return "-".join(names), f"bar/bar-{size}.toml", material_options(material), exact_method, ON_BARS, counts


def cloth_case(cells, exact_method, counts=COUNTS):
    picture = "cloth" if cells == 80 else f"cloth-{cells + 1}"
    return picture, "cloth/cloth.toml", ["--set", f"body.0.shape.cells=[{cells},{cells},1]"], exact_method, ON_CLOTH, counts


ACCURACY = {
    "bar of 3000 vertices": bar_case(30, "neo-hookean", "newton-cholesky"),
    "bar of 3000 vertices, corotated": bar_case(30, "corotated", "newton-cholesky"),
    "bar of 3000 vertices, spline": bar_case(30, "spline", "newton-cholesky"),
    "bar of 15,360 vertices": bar_case(60, "neo-hookean", "newton-cg"),
    "bar of 15,360 vertices, corotated": bar_case(60, "corotated", "newton-cg"),
    "bar of 15,360 vertices, spline": bar_case(60, "spline", "newton-cg", ON_LARGE),
    "bar of 50,112 vertices": bar_case(87, "neo-hookean", "newton-cg", ON_LARGE),
    "bar of 50,112 vertices, corotated": bar_case(87, "corotated", "newton-cg", ON_LARGE),
    "bar of 50,112 vertices, spline": bar_case(87, "spline", "newton-cg", ON_LARGE),
    "cloth of 81 x 81 vertices": cloth_case(80, "newton-cholesky"),
    "cloth of 201 x 201 vertices": cloth_case(200, "newton-cg", ON_LARGE),
    "cloth of 401 x 401 vertices": cloth_case(400, "newton-cg", ON_LARGE),
}


def accuracy(program):
    """How far the last of some frames is from that of converged steps, m, by method and iterations, and what a frame takes."""
    lines = {}
    for what, (picture, scene, options, exact_method, methods, counts) in ACCURACY.items():
        with tempfile.TemporaryDirectory() as folder:
            def frames_of(name, changes):
                out = pathlib.Path(folder) / name
                changes = [word for change in changes for word in ("--set", change)]
                subprocess.run([program, "run", HERE / scene, "-o", out, "--quiet", "--frames", str(FRAMES), *options, *changes], check=True, capture_output=True)
                with open(out / "steps.csv") as steps:
                    rows = list(csv.DictReader(steps))
                seconds = sorted(float(row["seconds_step"]) for row in rows[1:])
                places = last_places(out)
                shutil.rmtree(out)
                return places, seconds[len(seconds) // 2], all(row["status"].startswith("converged") for row in rows)
            exact, _, _ = frames_of("exact", [f"solver.method={exact_method}", *EXACTLY])
            points = []
            for method, changes in methods.items():
                for iterations in counts:
                    places, seconds, at_the_end = frames_of(f"{method}-{iterations}", [*changes, f"solver.iterations={iterations}"])
                    error = math.sqrt(sum((a - b) ** 2 for a, b in zip(places, exact)) / (len(exact) / 3))
                    points.append({"method": method, "iterations": iterations, "seconds_per_frame": seconds, "error": error})
                    print(f"{what}, {method}, {iterations} iterations: {1000 * seconds:.2f} ms a frame, {1000 * error:.3g} mm off", flush=True)
                    if at_the_end:
                        break  # more iterations would be the same run
            lines[what] = {"picture": picture, "frames": FRAMES, "points": points}
    return lines


def schemes(program):
    """What an iteration costs in the stages of SDIRK2 and of backward Euler, on the bar of middle size, in turns."""
    names = ("backward-euler", "sdirk2")
    seconds, iterations = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0)
    for _ in range(3):
        for name in names:
            _, rows = run(program, HERE / "bar" / "bar-60.toml", 30, "--set", f"time.scheme={name}")
            seconds[name] += sum(float(row["seconds_step"]) for row in rows[1:])
            iterations[name] += sum(int(row["iterations"]) for row in rows[1:])
    results = {name: {"seconds_per_iteration": seconds[name] / iterations[name], "iterations_per_step": iterations[name] / 3 / 29} for name in names}
    ratio = results["sdirk2"]["seconds_per_iteration"] / results["backward-euler"]["seconds_per_iteration"]
    print("an iteration of SDIRK2 takes {:.2f} times one of backward Euler".format(ratio), flush=True)
    return {"schemes": results, "ratio": ratio}


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


def profile(program, scene, frames, options):
    """Share of the time of each part of the program, by samples."""
    with tempfile.TemporaryDirectory() as folder:
        samples = pathlib.Path(folder) / "samples"
        command = ["perf", "record", "-q", "-o", samples, program, "run", f"gast-2015/{scene}", "-o", pathlib.Path(folder) / "run", "--quiet",
                   "--frames", str(frames), *options]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode not in (0, 3):  # 3: a step did not converge, as asked
            print(f"no profile of {scene}: perf says {done.stderr.strip()}")
            return None
        report = subprocess.run(["perf", "report", "-i", samples, "--stdio", "--no-children", "--percent-limit", "0", "-F", "overhead,symbol"],
                                capture_output=True, text=True, check=True).stdout
    shares = dict.fromkeys([*PARTS, "the rest"], 0.0)
    for percent, symbol in re.findall(r"^\s*([0-9.]+)%\s+(.*)$", report, re.MULTILINE):
        part = next((part for part, names in PARTS.items() if re.search(names, symbol)), "the rest")
        shares[part] += float(percent) / 100
    print(f"{scene}: " + ", ".join(f"{part} {100 * share:.0f}%" for part, share in shares.items()), flush=True)
    return shares


def profiles(program):
    if not shutil.which("perf"):
        print("no profiles: there is no perf (Debian has it in linux-perf)")
        return {}
    found = {scene: profile(program, scene, *how) for scene, how in PROFILES.items()}
    return {scene: shares for scene, shares in found.items() if shares}


def main():
    program, out = sys.argv[1:]
    results = {"bars": bars(program), "interactive": interactive(program), "accuracy": accuracy(program), "schemes": schemes(program), "stretch": scaling(program), "profiles": profiles(program), "machine": MACHINE}
    pathlib.Path(out).write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
