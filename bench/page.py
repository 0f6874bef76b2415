#!/usr/bin/env python3
"""Writes docs/performance.md from what the benchmarks measured.

usage: bench/page.py BENCH.json PROGRAMS.json
"""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "bench")]
import plot  # noqa: E402
from programs import QUASI_NEWTON_LEAVES  # noqa: E402

KINDS = {"energy": "energy", "gradient": "energy and gradient", "hessian": "Hessian", "hessian-definite": "Hessian, made definite"}
BOUNDS = {
    "element Hessians": "arithmetic and its latency: a decomposition and ten 3x3 blocks a tetrahedron; then adding these into the matrix",
    "element energies and gradients": "arithmetic and its latency: roots and quotients of the decomposition",
    "products with the matrix": "memory, where the matrix is larger than the last cache; otherwise the additions into the other triangle",
    "lattice: its matrices": "arithmetic in single precision, and gathering",
    "lattice: its cycles": "gathering and scattering, and the order in which Gauss-Seidel must go",
    "block Jacobi": "memory",
    "vectors": "memory",
    "threads that wait": "loops too short to share out",
    "start, output": "sorting, compression, the disk",
    "the rest": "",
}


class Kernels:
    """The benchmarks by name and number of threads."""

    def __init__(self, file):
        self.all = {}
        for entry in json.loads(file.read_text())["benchmarks"]:
            parts = entry["name"].split("/")
            threads = next((int(part.removeprefix("threads:")) for part in parts if part.startswith("threads:")), 1)
            self.all["/".join(part for part in parts if ":" not in part and part != "real_time"), threads] = entry
        self.most = max(threads for _, threads in self.all)
        self.counts = sorted({1, self.most})

    def __call__(self, name, threads):
        return self.all[name, threads]


def machine_lines(kernels):
    rows = ["| threads | copying, GB/s | arithmetic, Gflop/s |", "| --- | --- | --- |"]
    for threads in kernels.counts:
        machine = kernels("machine/copy-and-flops", threads)
        rows.append(f"| {threads} | {machine['bytes_per_second'] / 1e9:.1f} | {machine['flops_per_second'] / 1e9:.1f} |")
    return ["## What the machine can do", "", "Measured in the same run: a copy of an array much larger than the caches, bytes read plus bytes "
            "written, and multiplications and additions in registers, without fused ones, which the program does not use.", "", *rows, ""]


def element_lines(kernels):
    rows = ["| material | | " + " | ".join(f"{t} thread{'s' * (t > 1)}: M tets/s a core | of the arithmetic | of the bandwidth"
                                           for t in kernels.counts) + " |", "| --- | --- |" + " --- |" * 3 * len(kernels.counts)]
    for material in ("fixed-corotated", "stable-neo-hookean"):
        for kind, meaning in KINDS.items():
            cells = []
            for threads in kernels.counts:
                entry = kernels(f"{material}/{kind}", threads)
                cells += [f"{entry['per_core'] / 1e6:.1f}", f"{100 * entry['share_of_flops']:.0f}%", f"{100 * entry['share_of_bandwidth']:.0f}%"]
            rows.append(f"| {material} | {meaning} | " + " | ".join(cells) + " |")
    return ["## Elements", "", "A cube of 1.57 million tetrahedra, slightly deformed. Hessians are assembled into the matrix. The operations of "
            "an element are counted by running its kernel on numbers that count; roots and quotients count as one, though they take many "
            "times as long. These, and the chain of rotations of the decomposition, where each step waits for the one before, keep elements below the "
            "arithmetic that the machine can do.", "", *rows,
            ""]


def linear_lines(kernels):
    rows = ["| | threads | ms | GB/s | of the copy |", "| --- | --- | --- | --- | --- |"]
    names = {"product/half-double": "product, one triangle, double (kept)", "product/half-single": "product, one triangle, single",
             "product/full-double": "product, both triangles, double", "product/full-single": "product, both triangles, single"}
    for name, meaning in names.items():
        for threads in kernels.counts:
            entry = kernels(name, threads)
            rows.append(f"| {meaning} | {threads} | {entry['real_time']:.1f} | {entry['bytes_per_second'] / 1e9:.1f} | "
                        f"{100 * entry['share_of_bandwidth']:.0f}% |")
    for threads in kernels.counts:
        entry = kernels("conjugate-gradient/block-jacobi", threads)
        rows.append(f"| an iteration of conjugate gradients | {threads} | {1e3 * entry['seconds_per_iteration']:.1f} | "
                    f"{entry['bytes_per_second'] / 1e9:.1f} | {100 * entry['share_of_bandwidth']:.0f}% |")
    floors = {}
    constant = ["| vertices | threads | factoring, ms | a solve, ms | factor | the floor, ms | GB/s | of the copy |", "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for size in (60, 87):
        for threads in kernels.counts:
            entry, factored = (kernels(f"constant-factor/{kind}-{size}", threads) for kind in ("solve", "factor"))
            constant.append(f"| {entry['vertices']:.0f} | {threads} | {factored['real_time']:.0f} | {entry['real_time']:.2f} | {entry['factor_bytes'] / 1e6:.0f} MB | {entry['floor_ms']:.2f} | "
                            f"{entry['bytes_per_second'] / 1e9:.1f} | {100 * entry['share_of_bandwidth']:.0f}% |")
            floors.setdefault(f"{entry['vertices']:.0f} vertices", []).append(f"{entry['real_time'] / entry['floor_ms']:.1f} with {threads} thread{'s' * (threads > 1)}")
    return ["## Matrix", "", "The Hessian of the same cube, 824 thousand unknowns. Bytes are those the format must move at least once. One "
            "triangle in double precision is kept: the fewest bytes of the formats that carry double precision. Single precision, with the same "
            "kernel, would save part of a product, but directions in stiff bodies need the digits: it would have to be watched and taken back. Both "
            "triangles are multiplied by plain loops, for what they are worth. A product mostly reads, while half of a copy's bytes are written: it can "
            "be faster than one.", "", *rows, "", "The constant matrix of `lbfgs` on the two larger bars of `bench/bar`: its factor in single precision, and a solve for x, y and z at once. The floor is what it takes "
            "to move the bytes of the factor twice, down and up, at the speed of the copy; a factor that fits into the last cache can be below it.", "", *constant, "",
            f"In multiples of this floor a solve takes {'; '.join(f'{listed(times)} on the bar of {vertices}' for vertices, times in floors.items())}. Where that is well above 1, something other "
            "than the memory bounds it.", ""]


def contact_lines(kernels):
    rows = ["| threads | contacts, ms | elastic energies and gradients, ms | ratio |", "| --- | --- | --- | --- |"]
    for threads in kernels.counts:
        contact, elastic = (kernels(f"contact/{kind}", threads)["real_time"] for kind in ("evaluate", "elastic"))
        rows.append(f"| {threads} | {contact:.1f} | {elastic:.1f} | {contact / elastic:.2f} |")
    entry = kernels("contact/evaluate", 1)
    return ["## Contact", "", f"27 boxes of together {entry['elements']:.0f} tetrahedra that overlap their neighbours, {entry['vertices_inside']:.0f} "
            "vertices inside of another box: refitting the trees, finding these vertices and the closest place of the surface, and adding up "
            "energies and forces, beside the elastic energies and forces of the same boxes.", "", *rows, ""]


def bar_lines(bars):
    rows = ["| vertices | unknowns | seconds a frame | STARK | ratio | Newton | CG | worst residual ratio | assembly, linear, search, s | "
            "memory |", "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    sizes = {30: "30 x 10 x 10", 60: "60 x 16 x 16", 87: "87 x 24 x 24"}
    for bar in bars:
        rows.append(f"| {sizes[bar['vertices_along']]} | {bar['dofs']} | {bar['seconds_per_frame']:.4f} | {bar['peer_seconds_per_frame']} | "
                    f"{bar['ratio']:.2f} | {bar['newton_per_frame']:.1f} | {bar['cg_per_frame']:.0f} | {bar['worst_residual_ratio']:.1e} | "
                    f"{bar['seconds_assembly']:.4f}, {bar['seconds_linear_solve']:.4f}, {bar['seconds_line_search']:.4f} | "
                    f"{bar['peak_memory_bytes'] / 1e6:.0f} MB |")
    return ["## Beside another program", "", "A soft Neo-Hookean bar that hangs from one end (`bench/bar`), each step solved until the residual is "
            "about a millionth of what it was. STARK (projected Newton, block-Jacobi conjugate gradients, matrix in single precision) took "
            "the times below with two threads on an Intel Xeon, with 443 MB at the largest; they were measured once and are not "
            "part of this run.", "", *rows, ""]


def beside_aims(entry):
    """What was aimed at, with two threads, and whether it is met: two cells."""
    if entry["threads"] != 2:
        return " | "
    aims = []
    if entry.get("aim"):
        aims.append((f"{1000 * entry['aim']:.3g} ms", entry["seconds_per_frame"] <= entry["aim"]))
    if entry.get("memory_aim"):
        aims.append((f"{entry['memory_aim'] / 1e6:.0f} MB", entry["peak_memory_bytes"] <= entry["memory_aim"]))
    return ", ".join(text for text, _ in aims) + " | " + ", ".join("yes" if met else "no" for _, met in aims)


def left_cell(left):
    return f"{left['worst']:.1e}, {left['middle']:.1e}, {left['best']:.1e}" if left else ""


def left_sentences(entries):
    """What ten iterations leave of the gradient, ours beside that code's."""
    def of(kind):
        found = [entry["gradient_left"] for entry in entries if entry["gradient_left"] and entry["what"].startswith(kind)]
        return max(left["worst"] for left in found), min(left["best"] for left in found)
    worst, best = QUASI_NEWTON_LEAVES
    (bar_worst, bar_best), (cloth_worst, cloth_best) = of("bar"), of("cloth")
    return ("What is left of the length of the gradient at the end of a step, in parts of what it was at its start, which is the lower of two guesses, is given for the worst, the middle and "
            f"the best of the frames after the first. On the bars that code leaves from {worst:g} at worst to {best:g} at best, ours from {bar_worst:.1e} to {bar_best:.1e}: our worst is "
            f"{beside(bar_worst, worst)}, our best {beside(bar_best, best)}. On cloth ours leaves from {cloth_worst:.1e} to {cloth_best:.1e}; what that code leaves there is not known. "
            "XPBD does not report gradients. " + asked(entries))


def beside(ours, theirs):
    return f"{theirs / ours:.3g} times smaller than theirs" if ours < theirs else f"{ours / theirs:.3g} times larger than theirs"


def asked(entries):
    counts = {tuple(entry["iterations"]) for entry in entries}
    return "All steps took ten iterations." if counts == {(10, 10)} else f"Steps took {min(low for low, _ in counts)} to {max(high for _, high in counts)} iterations."


def listed(numbers):
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last}" if first else last


LAST_DIGIT = 2e-4  # mm: half of one of places some metres from the origin, which frames keep in single precision


def accuracy_lines(accuracy):
    """Plots of error against time, and a table of what ten iterations give."""
    lines = ["How far whole runs end from runs whose steps converged, by what a frame takes. Fewer iterations on the largest bodies; none beyond those at which all steps converge. "
             f"Frames keep places in single precision, so that nothing below {LAST_DIGIT:g} mm is told apart:", ""]
    rows = ["| scene | method | iterations at most | ms a frame | off in the end, mm |", "| --- | --- | --- | --- | --- |"]
    for what, measured in accuracy.items():
        plotted, counts = {}, sorted({point["iterations"] for point in measured["points"]})
        for point in measured["points"]:
            plotted.setdefault(point["method"], []).append((1000 * point["seconds_per_frame"], max(1000 * point["error"], LAST_DIGIT)))
        for method in plotted:
            point = [point for point in measured["points"] if point["method"] == method and point["iterations"] <= 10][-1]
            error = 1000 * point["error"]
            off = f"< {LAST_DIGIT:g}" if error < LAST_DIGIT else f"{error:.2g}" if error < 100 else f"{error:.0f}"
            rows.append(f"| {what} | `{method}` | {point['iterations']} | {1000 * point['seconds_per_frame']:.3g} | {off} |")
        picture = f"interactive-{measured['picture']}.svg"
        plot.line_plot(ROOT / "docs/pictures" / picture, f"A {what}: {listed(counts)} iterations a frame", "ms a frame",
                       f"distance from converged steps after {measured['frames']} frames, mm", plotted, True, True)
        lines += [f"![error against time, {what}](pictures/{picture})", ""]
    return lines + ["With ten iterations, or with the first of the fewer ones at which all steps converge:", "", *rows, ""]


def interactive_lines(entries, accuracy):
    rows = ["| scene | vertices | method | threads | ms a frame | Liu's code | ratio | made once, s | left of the gradient: worst, middle, best | memory | aim | met |",
            "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    for entry in entries:
        peer = entry["peer"] if entry["threads"] == 2 else None
        timing = f"{1000 * peer:.3g} | {entry['seconds_per_frame'] / peer:.2f}" if peer else " | "
        rows.append(f"| {entry['what']} | {entry['vertices']} | `{entry['method']}` | {entry['threads']} | {1000 * entry['seconds_per_frame']:.3g} | {timing} | {entry['seconds_once']:.2f} | "
                    f"{left_cell(entry['gradient_left'])} | {entry['peak_memory_bytes'] / 1e6:.0f} MB | {beside_aims(entry)} |")
    lines = ["## Interactive rates", "", "Ten iterations a frame of 1/30 s, whatever comes of them: quasi-Newton on the bars, local-global and XPBD on cloth of 10 m x 10 m that hangs from two corners "
             "(`bench/cloth`). The code that Liu 2018 comes with took the times beside ours with two threads on an Intel Xeon, once; its factorisations 0.02, 0.58 and 12.3 s, its "
             "memory 1369 MB at the largest bar. The middle one of 29 frames counts. Aims are for two threads: real time on the bar of "
             "15,360 vertices, a fifth of that code's time on cloth, and half its memory at the largest bar.", "", *rows, "", left_sentences(entries), ""]
    return lines + accuracy_lines(accuracy)


def scheme_lines(schemes):
    rows = [f"| `{name}` | {entry['iterations_per_step']:.1f} | {1000 * entry['seconds_per_iteration']:.1f} |" for name, entry in schemes["schemes"].items()]
    return ["## An iteration of a scheme", "", f"The bar of 60 x 16 x 16 vertices again. A stage of SDIRK2 is shorter than a step of backward Euler, so that its systems are easier; an "
            f"iteration takes {schemes['ratio']:.2f} times as long.", "", "| scheme | Newton iterations a step | ms an iteration, all of the step included |", "| --- | --- | --- |", *rows, ""]


def scaling_lines(stretch):
    rows = ["| unknowns | seconds a frame | solves a step | CG iterations a solve | memory |", "| --- | --- | --- | --- | --- |"]
    for run in stretch["runs"]:
        rows.append(f"| {run['dofs']} | {run['seconds_per_frame']:.3f} | {run['solves_per_step']:.1f} | {run['cg_per_solve']:.0f} | "
                    f"{run['peak_memory_bytes'] / 1e6:.0f} MB |")
    return ["## Growth with size", "", "The first second of `gast-2015/stretch`, finer and finer. Seconds grow with the number of unknowns to the "
            f"power {stretch['exponent']:.2f}.", "", *rows, ""]


def profile_lines(profiles):
    if not profiles:
        return ["## Where the time goes", "", "Not measured: there was no perf.", ""]
    rows = ["| | " + " | ".join(profiles) + " | bound by, we think |", "| --- |" + " --- |" * (len(profiles) + 1)]
    for part, bound in BOUNDS.items():
        rows.append(f"| {part} | " + " | ".join(f"{100 * shares[part]:.0f}%" for shares in profiles.values()) + f" | {bound} |")
    return ["## Where the time goes", "", "Samples of all threads, by part of the program: all of `gast-2015/stretch`, and the first 40 iterations "
            "of the first step of `gast-2015/random-medium`.", "", *rows, ""]


def main():
    bench, programs = map(pathlib.Path, sys.argv[1:])
    kernels, runs = Kernels(bench), json.loads(programs.read_text())
    lines = ["# Performance", "", f"Written by `make bench`; {runs['machine']['cpu']}, {runs['machine']['threads']} threads, "
             f"{runs['machine']['flags']}.", ""]
    lines += machine_lines(kernels) + element_lines(kernels) + linear_lines(kernels) + contact_lines(kernels) + bar_lines(runs["bars"])
    lines += interactive_lines(runs["interactive"], runs["accuracy"])
    lines += scheme_lines(runs["schemes"]) + scaling_lines(runs["stretch"]) + profile_lines(runs["profiles"])
    lines += ["What the scenes of the papers take is in [Reproduction](reproduction.md)."]
    (ROOT / "docs/performance.md").write_text("\n".join(lines).rstrip() + "\n")
    print("wrote docs/performance.md")


if __name__ == "__main__":
    main()
