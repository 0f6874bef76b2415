"""The experiments of Liu 2018, as parts of reproduce.py."""

import math
import re
import subprocess
import tomllib

import plot
from convergence import (
    ERROR, LBFGS, LEVELS, NEWTON, SAID, SCENES, at, converge, error_plots, error_table, file_name, listed, ms, reached, said, shown, until,
    where_data_lie)
from liu_curtain import changed, curtain_page, run_curtain


def run_pictures(frames, columns, *options, scenes=None):
    """A part that is a run and its pictures."""
    def run(lab, part):
        made = {}
        for scene in scenes or [part]:
            made[scene] = {"summary": lab.run(f"liu-2018/{scene}", scene), "montage": lab.montage(scene, frames, columns, *options)}
        return {"ours": made[(scenes or [part])[0]]["summary"], "made": made}
    return run


def pictures_page(title, text, after=""):
    def page(part, results):
        lines = [f"## {title}", "", text, ""]
        for scene, made in results["made"].items():
            summary = made["summary"]
            milliseconds = 1000 * summary["seconds"]["total"] / summary["frames"]
            torn = f" {summary['torn_elements']} elements have torn." if summary.get("torn_elements") else ""
            lines += [f"![{scene}]({made['montage']})", "", f"`liu-2018/{scene}`: `{summary['solver']}`, {sum(body['vertices'] for body in summary['bodies'])} vertices, "
                      f"{summary['iterations'] / summary['steps']:.0f} iterations a step, {milliseconds:.3g} ms a frame.{torn}", ""]
        return lines + ([after, ""] if after else [])
    return page


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def inner(a, b):
    return sum(x * y for x, y in zip(a, b))


def stretches(rest, now):
    """Of a triangle along its principal directions, the largest first: roots of the eigenvalues of G^-1 g, with G and g the inner products of its edges at rest and now."""
    edges, moved = ([minus(corners[1], corners[0]), minus(corners[2], corners[0])] for corners in (rest, now))
    (A, B, C), (a, b, c) = ([inner(e, e), inner(e, f), inner(f, f)] for e, f in (edges, moved))
    area = A * C - B * B
    half, product = (C * a - 2 * B * b + A * c) / (2 * area), (a * c - b * b) / area
    root = math.sqrt(max(0, half * half - product))
    return math.sqrt(half + root), math.sqrt(max(0, half - root))


def volume(corners):
    u, v, w = (minus(corner, corners[0]) for corner in corners[1:])
    return inner(u, (v[1] * w[2] - v[2] * w[1], v[2] * w[0] - v[0] * w[2], v[0] * w[1] - v[1] * w[0])) / 6


def bodies_at_the_end(lab, scene, corners):
    """Of each body its name and the corners of its elements at rest and in the last frame."""
    places, first = lab.last_frame(scene), 0
    for body in lab.summary(scene)["bodies"]:
        text = (lab.out / scene / "bodies" / f"{body['name']}.vtu").read_text()
        numbers, joined = (re.search(f'Name="{array}"[^>]*>([^<]*)<', text).group(1).split() for array in ("Points", "connectivity"))
        numbers, joined = list(map(float, numbers)), list(map(int, joined))
        rest = list(zip(numbers[0::3], numbers[1::3], numbers[2::3]))
        elements = [joined[i:i + corners] for i in range(0, len(joined), corners)]
        yield body["name"], [([rest[i] for i in element], [places[first + i] for i in element]) for element in elements]
        first += body["vertices"]


def keys_of(scene):
    """Of each body the material that the scene gives it."""
    return {body["name"]: body["material"] for body in tomllib.loads((SCENES / f"{scene}.toml").read_text())["body"]}


def run_limits(lab, part):
    results = run_pictures("20,40,60", 1, "--width", "900", "--height", "380", scenes=["strain-limit", "volume-weights"])(lab, part)
    results["stretches"], results["volumes"] = {}, {}
    for name, elements in bodies_at_the_end(lab, "strain-limit", 3):
        found = [stretches(*element) for element in elements]
        largest = sorted(most for most, _ in found)
        results["stretches"][name] = {"largest": largest[-1], "of 99 percent": largest[99 * len(largest) // 100], "mean": sum(largest) / len(largest), "smallest": min(least for _, least in found)}
    for name, elements in bodies_at_the_end(lab, "volume-weights", 4):
        results["volumes"][name] = sum(volume(now) for _, now in elements) / sum(volume(rest) for rest, _ in elements)
    return results


def limits_page(part, results):
    lines = pictures_page("Strain limits and volume weights (Liu 2018, figures 6.1 and 6.2)", "Cloth that may stretch by 10, 20 and 30 percent, and bars with growing weights of shape (upper row) and "
                          "of volume (lower row).")(part, results)
    materials = keys_of("strain-limit")
    lines += ["Stretches of the triangles in the last frame, where the cloth hangs. Beyond a limit it resists, it does not stop:", "",
              "| cloth | limits | smallest | largest of each triangle, mean | of 99% at most | of all at most |", "| --- | --- | --- | --- | --- | --- |"]
    for name, found in results["stretches"].items():
        lines.append(f"| {name} | {materials[name]['stretch_min']:g} to {materials[name]['stretch_max']:g} | {found['smallest']:.3f} | {found['mean']:.3f} | {found['of 99 percent']:.3f} | {found['largest']:.3f} |")
    materials = keys_of("volume-weights")
    lines += ["", "The volume of the bars in the last frame, pulled to one and a half times their length:", "",
              "| bar | against changes of shape, kPa | of volume, kPa | volume, of that at rest |", "| --- | --- | --- | --- |"]
    for name, ratio in results["volumes"].items():
        lines.append(f"| {name} | {materials[name]['young'] / 1000:g} | {materials[name]['volume'] / 1000:g} | {ratio:.3f} |")
    return lines + [""]


# Figure 7.1
MATERIALS = {"corotated": "corotated", "st-venant-kirchhoff": "St. Venant-Kirchhoff", "neo-hookean": "Neo-Hookean", "polynomial": "polynomial", "spline-a": "spline A", "spline-b": "spline B"}
STIFFER = 5  # so many times as stiff as the bodies of `materials` is the twisting bar


def bar_of(material):
    """Options that give the twisting bar another material."""
    changes = [f"body.0.material.model={material['model']}", f"body.0.material.young={STIFFER * material['young']:g}"]
    for function, points in material.get("spline", {}).items():
        changes.append(f"body.0.material.spline.{function}={[STIFFER * number if i % 2 else number for i, number in enumerate(points)]}")
    return changed(*changes)


def run_materials(lab, part):
    results = run_pictures("0,10,20,40,60,90", 3, "--width", "640", "--height", "300")(lab, part)
    rows = {}
    for body in tomllib.loads((SCENES / "materials.toml").read_text())["body"]:
        rows[MATERIALS[body["name"]]] = converge(lab, "twisting-bar", file_name("materials", body["name"]), {"ours": LBFGS, "newton": NEWTON}, "--step", "30", "--iterations", "10", *bar_of(body["material"]))
    return {**results, "rows": rows}


def materials_page(part, results):
    lines = pictures_page("Materials (Liu 2018, figure 7.1)", "The same load in corotated linear elasticity, St. Venant-Kirchhoff, Neo-Hookean, the polynomial material and the splines A "
                          "and B, from left to right.")(part, results)
    lines += ["One step of the twisting bar with 15,360 vertices, in the same materials, five times as stiff: ten iterations of `lbfgs` against one of Newton's method.", "",
              "| material | lbfgs, 10 iterations | Newton, 1 iteration | ratio of times |", "| --- | --- | --- | --- |"]
    for name, found in results["rows"].items():
        ours, newton = at(found["ours"], 10), at(found["newton"], 1)
        lines.append(f"| {name} | {said(ours['error'])} in {ms(ours['seconds'])} ms | {said(newton['error'])} in {ms(newton['seconds'])} ms | "
                     f"{newton['seconds'] / ours['seconds']:.1f} |")
    pairs = {name: (at(found["ours"], 10), at(found["newton"], 1)) for name, found in results["rows"].items()}
    closer = [name for name, (ours, newton) in pairs.items() if ours["error"] < newton["error"]]
    faster = [newton["seconds"] / ours["seconds"] for ours, newton in pairs.values() if ours["seconds"] < newton["seconds"]]
    return lines + ["", f"The thesis: more accurate, and about ten times as fast. More accurate here: {listed(closer) or 'none'}; faster: {len(faster)} of {len(pairs)}"
                    + (f", {min(faster):.1f} to {max(faster):.1f} times." if faster else "."), "", where_data_lie("materials"), ""]


SEEDS = 12
RESTS = 1e-5  # of the elastic energy after the first step
COARSE = 0.1  # m, cells of a coarse hippo


def finds_back(lab, name, seed, *options):
    """Whether a hippo is at rest in the end, nothing inside out."""
    summary = lab.run("liu-2018/hippo", file_name(name, str(seed)), *changed(f"seed={seed}"), *options)
    first = float(lab.steps(file_name(name, str(seed)))[0]["elastic"])
    return summary["final"]["elastic"] < RESTS * first and summary["final"]["inverted_elements"] == 0


def run_hippo(lab, part):
    results = run_pictures("0,1,2,4,8,20,60,120", 4, "--width", "360", "--height", "300")(lab, part)
    steps = lab.steps("hippo")
    coarse = changed(f"body.0.shape.cell={COARSE}")
    return {**results, "energy": [float(steps[k]["elastic"]) for k in (0, 10, 30, len(steps) - 1)],
            "found": [finds_back(lab, "hippo-seed", seed) for seed in range(SEEDS)],
            "coarse": [finds_back(lab, "hippo-coarse-seed", seed, *coarse) for seed in range(SEEDS)],
            "coarse_vertices": sum(body["vertices"] for body in lab.summary(file_name("hippo-coarse-seed", "0"))["bodies"])}


def hippo_page(part, results):
    lines = pictures_page("Hippo from random places (Liu 2018, figure 7.2)", "Every vertex starts at a random place in the box around the hippo.")(part, results)
    energy, seeds = results["energy"], len(results["found"])
    return lines + [f"Its elastic energy after 1, 11 and 31 steps and at the end: {', '.join(f'{e:.3g}' for e in energy)} J.", "",
                    f"Whether a tangled start finds back depends on the start. Of {seeds} starts (`--set seed=0` to `{seeds - 1}`) {sum(results['found'])} are at rest after 4 s, with less than {RESTS:g} of the "
                    f"elastic energy that the first step left and no element inside out; of as many of a coarser hippo of {results['coarse_vertices']} vertices (`--set body.0.shape.cell={COARSE:g}`) "
                    f"{sum(results['coarse'])}. An element that its neighbours hold inside out stays so, and so do elements that go round an edge twice.", ""]


TWIST_STEP = 30
TWISTS = {
    "initial": ("Initial matrices (figure 7.3)", {"projective": LBFGS, "identity": f"{LBFGS},solver.lbfgs.initial=identity", "rest": f"{LBFGS},solver.lbfgs.initial=rest",
                                                  "warped": f"{LBFGS},solver.lbfgs.initial=warped", "start": f"{LBFGS},solver.lbfgs.initial=start", "Newton": NEWTON}),
    "windows": ("Windows (figure 7.5)", {f"window {w}": f"{LBFGS},solver.lbfgs.window={w}" for w in (0, 1, 3, 5, 8, 20, 100)}),
    "intervals": ("Intervals of the stiffness (figure 7.6)", {f"[{a}, {b}]": f"{LBFGS},solver.lbfgs.stretch_first={a},solver.lbfgs.stretch_last={b}" for a, b in ((0.3, 1.7), (0.5, 1.5), (0.7, 1.3), (0.9, 1.1), (0.99, 1.01))}),
    "solvers": ("Linear solvers (figure 7.7)", {"ours, factor": LBFGS, "ours, 15 CG": f"{LBFGS},solver.cg_iterations=15", "Newton, Cholesky": NEWTON,
                                                "Newton, 5 CG": "solver.method=newton-cg,solver.cg_iterations=5", "Newton, 15 CG": "solver.method=newton-cg,solver.cg_iterations=15",
                                                "newton-truncated": "solver.method=newton-truncated", "newton-cg": "solver.method=newton-cg"}),
    "preconditioners": ("Preconditioners (figure 7.8)", {"ours (a)": LBFGS, "start, factor (b)": f"{LBFGS},solver.lbfgs.initial=start",
                                                         **{f"start, {k} CG, {with_} ({letter})": f"{LBFGS},solver.lbfgs.initial=start,solver.cg_iterations={k},solver.lbfgs.preconditioner={with_}"
                                                            for letter, k, with_ in (("c", 5, "rest"), ("d", 15, "rest"), ("e", 5, "projective"), ("f", 15, "projective"))}}),
}


def run_twisting_bar(lab, part):
    results = run_pictures("0,30,45,60,75,90", 3, "--width", "420", "--height", "240")(lab, part)
    studies = {}
    for name, (title, solvers) in TWISTS.items():
        # Commas part the changes of a solver from each other.
        named = {solver.replace(",", ""): changes for solver, changes in solvers.items()}
        found = converge(lab, "twisting-bar", f"{part}-{name}", named, "--step", str(TWIST_STEP), "--iterations", "100")
        studies[name] = {"found": found, "pictures": error_plots(lab, f"twisting-bar-{name}", title, found)}
    return {**results, "studies": studies}


def lower_by_then(found, ours):
    """Who has a lower error when ten iterations of one solver are over."""
    row = at(found[ours], 10)
    by_then = {solver: until(rows, row["seconds"]) for solver, rows in found.items() if solver != ours}
    lower = [f"{solver} with {said(other['error'])} after {other['iterations']:.0f}" for solver, other in by_then.items() if other["error"] < row["error"]]
    return f"When ten iterations of {ours} are over, at {ms(row['seconds'])} ms with an error of {said(row['error'])}, {listed(lower) or 'no other'} {'are' if len(lower) > 1 else 'is'} lower."


def counted(iterations):
    return f"{iterations:.0f} iteration{'s' * (iterations != 1)}"


def arrivals(found):
    """When solvers come to some errors."""
    lines = ["| solver | " + " | ".join(f"to {level:g}" for level in LEVELS) + " |", "| --- " * (1 + len(LEVELS)) + "|"]
    for solver, rows in found.items():
        there = [reached(rows, level) for level in LEVELS]
        lines.append(f"| {solver} | " + " | ".join(f"{counted(row['iterations'])}, {ms(row['seconds'])} ms" if row else "not within 100" for row in there) + " |")
    return lines


def first_of(found, solvers, level):
    there = {solver: reached(found[solver], level) for solver in solvers}
    return min((solver for solver in solvers if there[solver]), key=lambda solver: there[solver]["seconds"], default="none")


def firsts(found):
    """Who is the first at some errors."""
    levels = {}
    for level in LEVELS:
        levels.setdefault(first_of(found, found, level), []).append(f"{level:g}")
    return "By time the first is " + listed([f"{solver} to {listed(which)}" for solver, which in levels.items()]) + "."


def duels(found, pairs):
    lines = ["| by time the first of these two | " + " | ".join(f"to {level:g}" for level in LEVELS) + " |", "| --- " * (1 + len(LEVELS)) + "|"]
    return lines + [f"| {' / '.join(pair)} | " + " | ".join(first_of(found, pair, level) for level in LEVELS) + " |" for pair in pairs]


def multiples(found):
    """Errors after ten iterations in units of the least."""
    errors = {solver: at(rows, 10)["error"] for solver, rows in found.items()}
    least = min(errors.values())
    return f"After ten iterations the least error is {said(least)}; in multiples of it " + ", ".join(f"{solver} {error / least:.3g}" for solver, error in errors.items()) + "."


def is_same(found, one, other):
    """Whether two go the same way, by all errors that were looked at."""
    return [row["error"] for row in found[one]] == [row["error"] for row in found[other]]


def distinct(found):
    """Without the truncated Newton method where it is the usual one."""
    return {solver: rows for solver, rows in found.items() if solver != "newton-truncated" or not is_same(found, solver, "newton-cg")}


def truncated(found):
    """Whether stopping at negative curvature has made any difference."""
    return ("`newton-truncated` stops conjugate gradients at negative curvature (Gast et al. 2015); " +
            ("here there is none, and it goes the same way as `newton-cg`." if is_same(found, "newton-truncated", "newton-cg") else "here it meets some, and does not go the way of `newton-cg`."))


# What the thesis says of its figures, and what ours show.
TWIST_TEXTS = {
    "initial": lambda found: [
        "The thesis: the projective matrix is ahead in time; the Hessian at rest suffers from rotations, the warped one less, and factoring in each step costs more than it gives. "
        f"{lower_by_then(found, 'projective')} {firsts(found)}", "", *arrivals(found)],
    "windows": lambda found: [f"The thesis: 5 is best, and larger ones are only slightly worse. {multiples(found)}"],
    "intervals": lambda found: [f"The thesis: convergence is not very sensitive to the interval. The narrower it is, the closer its stiffness is to that near rest. {multiples(found)}"],
    "solvers": lambda found: [
        "The thesis: a factor is ahead of conjugate gradients, and quasi-Newton ahead of Newton by either. Its conjugate gradients have the diagonal as a preconditioner, those of ours with 5 and 15 "
        "iterations its blocks; `newton-cg` as it is has a coarse lattice and as many iterations as it needs. " + f"{lower_by_then(distinct(found), 'ours factor')} {firsts(distinct(found))}", "", *arrivals(found), "",
        *duels(found, (("ours factor", "ours 15 CG"), ("ours factor", "Newton Cholesky"), ("ours 15 CG", "Newton 15 CG"), ("ours factor", "Newton 15 CG"), ("ours factor", "newton-cg"))), "", truncated(found)],
    "preconditioners": lambda found: [
        f"The thesis: (e) and (f) are ahead of (c) and (d), and ours of all. {lower_by_then(found, 'ours (a)')} {firsts(found)}", "", *arrivals(found), "",
        *duels(found, (("start 5 CG projective (e)", "start 5 CG rest (c)"), ("start 15 CG projective (f)", "start 15 CG rest (d)")))],
}


def twisting_bar_page(part, results):
    lines = pictures_page("Twisting bar (Liu 2018, figures 7.3 and 7.5 to 7.8)", f"Neo-Hookean; step {TWIST_STEP}. Times leave out what is made once for a whole run, which the tables give. Beyond ten "
                          f"iterations errors are looked at every few. {SAID}")(part, results)
    for name, study in results["studies"].items():
        lines += [f"### {TWISTS[name][0]}", "", f"![{name} by iterations]({study['pictures'][0]})", "", f"![{name} by time]({study['pictures'][1]})", "",
                  *error_table(study["found"], (1, 10, 100)), "", *TWIST_TEXTS[name](study["found"]), ""]
    return lines + [where_data_lie("twisting-bar"), ""]


def run_rotated_cube(lab, part):
    conditions = {}
    for angle in (0, 90):
        command = [lab.program, "converge", "liu-2018/rotated-cube", "--set", f"body.0.start.rotate.angle={angle}", "--condition"]
        for initial in ("rest", "projective", "warped"):
            command += ["--solver", f"{initial}:{LBFGS},solver.lbfgs.initial={initial}"]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        for line in (done.stdout + done.stderr).splitlines():
            if "condition" in line:
                words = line.split()
                conditions.setdefault(words[words.index("condition") - 1], []).append(float(words[words.index("condition") + 1]))
    found = {}
    for angle in (0, 90):
        found |= converge(lab, "rotated-cube", f"rotated-cube-{angle}", {f"{initial} {angle} degrees": f"{LBFGS},solver.lbfgs.initial={initial}" for initial in ("rest", "projective")},
                          "--iterations", "30", "--set", f"body.0.start.rotate.angle={angle}")
    lines = {name: shown(rows, "iterations") for name, rows in found.items()}
    plot.line_plot(lab.picture("rotated-cube.svg"), "Rotated cube", "iterations", ERROR, lines, log_up=True)
    return {"ours": lab.run("liu-2018/rotated-cube", "rotated-cube"), "conditions": conditions, "found": found}


TABLE_7_1 = {"rest": (2.45, 45.5), "projective": (9.94, 9.94), "warped": None}


def rotated_cube_page(part, results):
    lines = ["## Rotated cube (Liu 2018, figure 7.4 and table 7.1)", "", "Condition numbers of the Hessian at the start seen through the initial matrix, in the first configuration and "
             "turned by 90 degrees.", "", "| initial matrix | thesis: 1 | 2 | ours: 1 | 2 |", "| --- | --- | --- | --- | --- |"]
    for initial, values in results["conditions"].items():
        paper = TABLE_7_1[initial]
        lines.append(f"| {initial} | {f'{paper[0]} | {paper[1]}' if paper else '- | -'} | {values[0]:.3g} | {values[1]:.3g} |")
    after = listed([f"{name} {said(at(rows, 5)['error'])}" for name, rows in results["found"].items()])
    return lines + ["", "![errors](pictures/rotated-cube.svg)", "", f"After five iterations: {after}.", "", where_data_lie("rotated-cube"), ""]


PARTS = {
    "curtain": (run_curtain, curtain_page),
    "strain-limit": (run_limits, limits_page),
    "materials": (run_materials, materials_page),
    "hippo": (run_hippo, hippo_page),
    "twisting-bar": (run_twisting_bar, twisting_bar_page),
    "rotated-cube": (run_rotated_cube, rotated_cube_page),
    "fibre": (run_pictures("0,10,12,14,18,90", 3, "--width", "420", "--height", "260"),
              pictures_page("Fibres (Liu 2018, figure 8.1)", "Both cubes fall on the ground; the right one has upright fibres.")),
    "brush": (run_pictures("0,20,30,40,60,80,90,120", 4, "--width", "320", "--height", "280"),
              pictures_page("Brush (Liu 2018, figure 5.4)", "144 bristles against a ball and each other.")),
    "skirt": (run_pictures("0,10,30,60,90,120,150,180", 4, "--width", "320", "--height", "320"),
              pictures_page("Skirt (Liu 2018, figure 5.5)", "Cloth against moving capsules and itself. The thesis takes 12.2 ms for 20 iterations and 476 ms for collisions.")),
    "squeeze-through-torus": (run_pictures("0,40,60,80,100,149", 3, "--width", "420", "--height", "480"),
                              pictures_page("Squeezed through a ring (Liu 2018, figure 8.3)", "Contact is springs in the energy alone; the constant matrix stays as it is. A teddy stands for "
                                            "the thesis's bunny.")),
    "flag-tear": (run_pictures("2,4,8,16,30,38,55,90", 4, "--width", "360", "--height", "360", "--camera", "3.2,0.5,2.2", "--look-at", "-0.3,-0.1,0.35"),
                  pictures_page("A flag that tears (Liu 2018, figure 8.2)", "Elements that are stretched by more than a quarter leave. The old factor serves what is left, until that of the torn flag, made in "
                                "the background, takes over ten steps later.")),
}
