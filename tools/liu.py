"""The experiments of Liu 2018, as parts of reproduce.py."""

import csv
import pathlib
import subprocess
import tomllib

import plot

SCENES = pathlib.Path(__file__).resolve().parent.parent / "scenes/liu-2018"

NEWTON = "solver.method=newton-cholesky"
LBFGS = "solver.method=lbfgs"


def converge(lab, scene, name, solvers, *options):
    """Errors of solvers on one problem: of each the rows of the table that `pliant converge` writes."""
    file = lab.out / f"{name}.csv"
    command = [lab.program, "converge", f"liu-2018/{scene}", "-o", file, *options]
    for solver, changes in solvers.items():
        command += ["--solver", f"{solver}:{changes}"]
    print("+", *map(str, command), flush=True)
    subprocess.run(command, check=True)
    found = {solver: [] for solver in solvers}
    with open(file, newline="") as table:
        for row in csv.DictReader(table):
            found[row["solver"]].append({key: float(row[key]) for key in ("prepared", "iterations", "seconds", "error")})
    return found


def at(rows, iterations):
    """What was reached after so many iterations, or at the end where that came before."""
    return [row for row in rows if row["iterations"] <= iterations][-1]


def ms(seconds):
    return f"{1000 * seconds:.3g}" if seconds < 1 else f"{1000 * seconds:.0f}"


FLOOR = 1e-12  # of errors: where a solver is said to have arrived


def shown(rows, key):
    """Points of a line: up to where the minimum was reached."""
    points = []
    for row in rows:
        if row["iterations"] > 0:
            points.append(((1000 if key == "seconds" else 1) * row[key], max(row["error"], FLOOR)))
            if row["error"] <= FLOOR:
                break
    return points


def error_plots(lab, name, title, found):
    """Error against iterations and against time; names of the pictures."""
    pictures = []
    many = any(rows[-1]["iterations"] > 100 for rows in found.values())
    for key, label in (("iterations", "iterations"), ("seconds", "time, ms")):
        lines = {solver: shown(rows, key) for solver, rows in found.items()}
        picture = f"{name}-{key}.svg"
        plot.line_plot(lab.picture(picture), title, label, "relative error", lines, log_across=many or key == "seconds", log_up=True)
        pictures.append(f"pictures/{picture}")
    return pictures


def error_table(found, iterations):
    head = "| solver | made once a run, ms | " + " | ".join(f"after {count}" for count in iterations) + " |"
    lines = [head, "| --- " * (2 + len(iterations)) + "|"]
    for solver, rows in found.items():
        cells = " | ".join(f"{max(at(rows, count)['error'], 0):.1e} in {ms(at(rows, count)['seconds'])} ms" for count in iterations)
        lines.append(f"| {solver} | {ms(rows[0]['prepared'])} | {cells} |")
    return lines


# Figure 5.1: iterations, milliseconds, error.
CURTAIN = [(1, 5.4, 3.61e-1), (10, 50.6, 1.96e-1), (100, 501, 4.02e-2), (1000, 5050, 2.98e-4)]
CURTAIN_STEP = 30
CURTAIN_YOUNG, CURTAIN_CELLS = 1e6, 80  # as the scene has them
LOCAL_GLOBAL = "solver.method=local-global"
STIFFNESSES = {"10 kPa": 1e4, "100 kPa": 1e5, "1 MPa": 1e6, "10 MPa": 1e7}
RESOLUTIONS = (10, 14, 20, 28, 40)
AVERAGED = 50  # steps, as in the thesis
HUNG_ITERATIONS = (5, 10, 20, 40, 80)
HUNG = {"`pbd`": ["time.scheme=pbd"], "`pbd`, `time.stiffness = 0.999`": ["time.scheme=pbd", "time.stiffness=0.999"], "`xpbd`": ["time.scheme=xpbd"], "`local-global`": []}


def changed(*changes):
    return [word for change in changes for word in ("--set", change)]


def curtain_of(cells, young):
    return changed(f"body.0.shape.cells=[{cells},{cells},1]", f"body.0.material.young={young:g}")


# Figure 5.3, and finer meshes of one cloth. The thesis doubles the stiffness of each spring with the resolution; ours have that of the cloth.
SWEEPS = {
    "stiffness": {label: curtain_of(20, young) for label, young in STIFFNESSES.items()},
    "resolution": {f"{(cells + 1) ** 2} vertices": curtain_of(cells, CURTAIN_YOUNG * cells / CURTAIN_CELLS) for cells in RESOLUTIONS},
    "one cloth": {f"{(cells + 1) ** 2} vertices": curtain_of(cells, CURTAIN_YOUNG) for cells in RESOLUTIONS[::2]},
}


def run_sweep(lab, name):
    """Errors of local-global, averaged over steps, by what is varied; the last ones, and a picture."""
    lines = {}
    for label, options in SWEEPS[name].items():
        rows = converge(lab, "curtain", "curtain-sweep", {"local-global": LOCAL_GLOBAL}, "--count", str(AVERAGED), "--iterations", "100", *options)["local-global"]
        lines[label] = shown(rows, "iterations")
    if name != "one cloth":
        plot.line_plot(lab.picture(f"curtain-{name}.svg"), f"Curtain, mean of {AVERAGED} steps: {name}", "iterations", "relative error", lines, log_up=True)
    return {label: points[-1][1] for label, points in lines.items()}


def hung_depth(lab, changes, count):
    """How far a small, soft curtain hangs down in the end."""
    name = "curtain-hung"
    lab.run("liu-2018/curtain", name, *curtain_of(20, 1e5), *changed("body.0.damping.ether=3", f"solver.iterations={count}", *changes))
    return -min(y for _, y, _ in lab.last_frame(name))


CURTAIN_SOLVERS = {"local-global": LOCAL_GLOBAL, "L-BFGS": LBFGS, "Newton with Cholesky": NEWTON, "Newton with PCG": "solver.method=newton-cg"}
FIXES = {"newton-cholesky": NEWTON, "newton-cg": "solver.method=newton-cg", "newton-truncated": "solver.method=newton-truncated", "newton-tikhonov": "solver.method=newton-tikhonov",
         "newton-minres": "solver.method=newton-minres"}


def run_curtain(lab, part):
    studies = {}
    for name, title, solvers, iterations in (("curtain", f"Curtain, step {CURTAIN_STEP}", CURTAIN_SOLVERS, 1000), ("curtain-fixes", "Curtain: indefinite matrices", FIXES, 100)):
        options = ["--step", str(CURTAIN_STEP), "--iterations", str(iterations), *changed(f"solver.max_iterations={iterations}")]
        found = converge(lab, "curtain", f"{name}-converge", solvers, *options)
        studies[name] = {"found": found, "pictures": error_plots(lab, name, title, found)}
    return {"ours": lab.run("liu-2018/curtain", "curtain"), "studies": studies, "sweeps": {name: run_sweep(lab, name) for name in SWEEPS},
            "hung": {method: [hung_depth(lab, changes, count) for count in HUNG_ITERATIONS] for method, changes in HUNG.items()},
            "montage": lab.montage("curtain", "0,8,16,24,36,60", 3, "--width", "420", "--height", "360")}


def as_good(found):
    """What local-global takes to be where one iteration of Newton with PCG is."""
    newton = at(found["Newton with PCG"], 1)
    ours = next((row for row in found["local-global"] if row["error"] <= newton["error"]), None)
    there = f"is there after {ours['iterations']:.0f} iterations and {ms(ours['seconds'])} ms" if ours else "does not get there"
    return f"Here one iteration of Newton with PCG gets to {newton['error']:.1e} in {ms(newton['seconds'])} ms; local-global {there}."


def sweep_text(sweep):
    return ", ".join(f"{label} {error:.1e}" for label, error in sweep.items())


def curtain_page(part, results):
    found, pictures = results["studies"]["curtain"].values()
    fixes, fixes_pictures = results["studies"]["curtain-fixes"].values()
    sweeps = results["sweeps"]
    lines = ["## Curtain (Liu 2018, figures 5.1 to 5.3)", "",
             "Scene: `liu-2018/curtain`, 6561 vertices and springs along all edges. The error of Eq. 5.10: how far the energy of the step still is above its "
             "minimum, in parts of what it was at the start.", "", f"![curtain]({results['montage']})", "",
             f"Step {CURTAIN_STEP}, local-global:", "", "| iterations | thesis: time | error | ours: time | error |", "| --- | --- | --- | --- | --- |"]
    for count, milliseconds, error in CURTAIN:
        row = at(found["local-global"], count)
        lines.append(f"| {count} | {milliseconds:g} ms | {error:.2e} | {ms(row['seconds'])} ms | {row['error']:.2e} |")
    return lines + [
        "", f"![error by iterations]({pictures[0]})", "", f"![error by time]({pictures[1]})", "", *error_table(found, (1, 10, 100, 1000)), "",
        f"The thesis: local-global is ahead while little is asked for, Newton's method when all is. {as_good(found)} Solvers may end in different minima: a pressed cloth folds in one way or another.", "",
        "### Indefinite matrices", "", "A pressed spring has negative curvature across itself. The first two solvers project the Hessians of elements to definite ones, the others stop conjugate gradients "
        "early (Gast et al. 2015), add to the diagonal, or solve the matrix as it is and turn steps round that lead uphill.", "", f"![fixes by iterations]({fixes_pictures[0]})", "",
        f"![fixes by time]({fixes_pictures[1]})", "", *error_table(fixes, (1, 10, 100)), "",
        "### Stiffness and resolution (figure 5.3)", "", f"Local-global, errors averaged over the first {AVERAGED} steps; 441 vertices where the stiffness varies. As in the thesis, the stiffness "
        "of each spring grows with the number of vertices a side.", "", "![stiffness](pictures/curtain-stiffness.svg)", "", "![resolution](pictures/curtain-resolution.svg)", "",
        f"After 100 iterations: {sweep_text(sweeps['stiffness'])}; {sweep_text(sweeps['resolution'])}. The thesis: stiffer springs and finer meshes converge more slowly. "
        f"On finer meshes of one cloth, whose springs have the stiffness of the cloth: {sweep_text(sweeps['one cloth'])}.", "",
        "### Position based dynamics", "", "How far a curtain of 441 vertices hangs down after 4 s, in m, by iterations a step:", "",
        "| method | " + " | ".join(map(str, HUNG_ITERATIONS)) + " |", "| --- " * (1 + len(HUNG_ITERATIONS)) + "|",
        *(f"| {method} | " + " | ".join(f"{depth:.4f}" for depth in depths) + " |" for method, depths in results["hung"].items()), "",
        "The thesis: position based dynamics gets stiffer with every iteration, even where its parameter is adjusted to their number (second row), while local-global comes closer to one "
        "answer. With compliances (`xpbd`) it comes to the same answer, slowly.", ""]


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
        rows[MATERIALS[body["name"]]] = converge(lab, "twisting-bar", "materials-converge", {"ours": LBFGS, "newton": NEWTON}, "--step", "30", "--iterations", "10", *bar_of(body["material"]))
    return {**results, "rows": rows}


def materials_page(part, results):
    lines = pictures_page("Materials (Liu 2018, figure 7.1)", "The same load in corotated linear elasticity, St. Venant-Kirchhoff, Neo-Hookean, the polynomial material and the splines A "
                          "and B, from left to right.")(part, results)
    lines += ["One step of the twisting bar with 15,360 vertices, in the same materials, five times as stiff: ten iterations of `lbfgs` against one of Newton's method.", "",
              "| material | lbfgs, 10 iterations | Newton, 1 iteration | ratio of times |", "| --- | --- | --- | --- |"]
    for name, found in results["rows"].items():
        ours, newton = at(found["ours"], 10), at(found["newton"], 1)
        lines.append(f"| {name} | {ours['error']:.1e} in {ms(ours['seconds'])} ms | {newton['error']:.1e} in {ms(newton['seconds'])} ms | "
                     f"{newton['seconds'] / ours['seconds']:.1f} |")
    ahead = [name for name, found in results["rows"].items() if at(found["ours"], 10)["error"] < at(found["newton"], 1)["error"]]
    return lines + ["", f"The thesis: more accurate, and about ten times as fast. More accurate here: {', '.join(ahead) or 'none'}; faster all.", ""]


def run_hippo(lab, part):
    results = run_pictures("0,1,2,4,8,20,60,120", 4, "--width", "360", "--height", "300")(lab, part)
    steps = lab.steps("hippo")
    return {**results, "energy": [float(steps[k]["elastic"]) for k in (0, 10, 30, len(steps) - 1)]}


def hippo_page(part, results):
    lines = pictures_page("Hippo from random places (Liu 2018, figure 7.2)", "Every vertex starts at a random place in the box around the hippo.")(part, results)
    energy = results["energy"]
    return lines + [f"Its elastic energy after 1, 11 and 31 steps and at the end: {', '.join(f'{e:.3g}' for e in energy)} J.", ""]


TWIST_STEP = 30
TWISTS = {
    "initial": ("Initial matrices (figure 7.3)", {"projective": LBFGS, "identity": f"{LBFGS},solver.initial=identity", "rest": f"{LBFGS},solver.initial=rest",
                                                  "warped": f"{LBFGS},solver.initial=warped", "start": f"{LBFGS},solver.initial=start", "Newton": NEWTON}),
    "windows": ("Windows (figure 7.5)", {f"window {w}": f"{LBFGS},solver.window={w}" for w in (0, 1, 3, 5, 8, 20, 100)}),
    "intervals": ("Intervals of the stiffness (figure 7.6)", {f"[{a}, {b}]": f"{LBFGS},solver.stretch_first={a},solver.stretch_last={b}" for a, b in ((0.3, 1.7), (0.5, 1.5), (0.7, 1.3), (0.9, 1.1), (0.99, 1.01))}),
    "solvers": ("Linear solvers (figure 7.7)", {"ours, factor": LBFGS, "ours, 15 CG": f"{LBFGS},solver.cg_iterations=15", "Newton, Cholesky": NEWTON,
                                                "Newton, 5 CG": "solver.method=newton-cg,solver.cg_iterations=5", "Newton, 15 CG": "solver.method=newton-cg,solver.cg_iterations=15",
                                                "newton-truncated": "solver.method=newton-truncated", "newton-cg": "solver.method=newton-cg"}),
    "preconditioners": ("Preconditioners (figure 7.8)", {"ours (a)": LBFGS, "start, factor (b)": f"{LBFGS},solver.initial=start",
                                                         **{f"start, {k} CG, {with_} ({letter})": f"{LBFGS},solver.initial=start,solver.cg_iterations={k},solver.preconditioner={with_}"
                                                            for letter, k, with_ in (("c", 5, "rest"), ("d", 15, "rest"), ("e", 5, "projective"), ("f", 15, "projective"))}}),
}


def run_twisting_bar(lab, part):
    results = run_pictures("0,30,45,60,75,90", 3, "--width", "420", "--height", "240")(lab, part)
    studies = {}
    for name, (title, solvers) in TWISTS.items():
        # Commas part the changes of a solver from each other.
        named = {solver.replace(",", ""): changes for solver, changes in solvers.items()}
        found = converge(lab, "twisting-bar", f"twisting-bar-{name}", named, "--step", str(TWIST_STEP), "--iterations", "100")
        studies[name] = {"found": found, "pictures": error_plots(lab, f"twisting-bar-{name}", title, found)}
    return {**results, "studies": studies}


# What the thesis says of its figures, beside which ours are to be read.
TWIST_CLAIMS = {
    "initial": "The thesis: the projective matrix is ahead in time; the Hessian at rest suffers from rotations, and factoring in each step costs more than it gives. So here, but for the warped Hessian, "
               "which needs the fewest iterations and makes up for part of its costlier solves.",
    "windows": "The thesis: 5 is best, and larger ones are only slightly worse. Here all from 3 on are equally good, within what the clock varies by.",
    "intervals": "The thesis: convergence is not very sensitive to the interval. Here narrow intervals, whose stiffness is closer to that of a twist, are up to ten times more accurate after ten iterations.",
    "solvers": "The thesis: a factor is ahead of conjugate gradients, and quasi-Newton ahead of Newton by either. The first is so here. The second is not: `newton-cg`, whose preconditioner has a coarse "
               "lattice, is ahead of ten iterations of ours after two of its own. With few conjugate gradient iterations and a diagonal preconditioner, as in the thesis, ours is ahead. "
               "`newton-truncated` stops at negative curvature (Gast et al. 2015); here there is none, and it is the same as `newton-cg`.",
    "preconditioners": "The thesis: (e) and (f) are ahead of (c) and (d), and ours of all. So here in time.",
}


def twisting_bar_page(part, results):
    lines = pictures_page("Twisting bar (Liu 2018, figures 7.3 and 7.5 to 7.8)", f"Neo-Hookean; step {TWIST_STEP}. Times leave out what is made once for a whole run, which the tables give.")(part, results)
    for name, study in results["studies"].items():
        lines += [f"### {TWISTS[name][0]}", "", f"![{name} by iterations]({study['pictures'][0]})", "", f"![{name} by time]({study['pictures'][1]})", "",
                  *error_table(study["found"], (1, 10, 100)), "", TWIST_CLAIMS[name], ""]
    return lines


def run_rotated_cube(lab, part):
    conditions = {}
    for angle in (0, 90):
        command = [lab.program, "converge", "liu-2018/rotated-cube", "--set", f"body.0.start.rotate.angle={angle}", "--condition"]
        for initial in ("rest", "projective", "warped"):
            command += ["--solver", f"{initial}:{LBFGS},solver.initial={initial}"]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        for line in (done.stdout + done.stderr).splitlines():
            if "condition" in line:
                words = line.split()
                conditions.setdefault(words[words.index("condition") - 1], []).append(float(words[words.index("condition") + 1]))
    lines = {}
    for angle in (0, 90):
        found = converge(lab, "rotated-cube", "rotated-cube", {f"{initial} {angle} degrees": f"{LBFGS},solver.initial={initial}" for initial in ("rest", "projective")},
                         "--iterations", "30", "--set", f"body.0.start.rotate.angle={angle}")
        lines.update({name: [(row["iterations"], max(row["error"], 1e-14)) for row in rows] for name, rows in found.items()})
    plot.line_plot(lab.picture("rotated-cube.svg"), "Rotated cube", "iterations", "relative error", lines, log_up=True)
    return {"ours": lab.run("liu-2018/rotated-cube", "rotated-cube"), "conditions": conditions}


TABLE_7_1 = {"rest": (2.45, 45.5), "projective": (9.94, 9.94), "warped": None}


def rotated_cube_page(part, results):
    lines = ["## Rotated cube (Liu 2018, figure 7.4 and table 7.1)", "", "Condition numbers of the Hessian at the start seen through the initial matrix, in the first configuration and "
             "turned by 90 degrees.", "", "| initial matrix | thesis: 1 | 2 | ours: 1 | 2 |", "| --- | --- | --- | --- | --- |"]
    for initial, values in results["conditions"].items():
        paper = TABLE_7_1[initial]
        lines.append(f"| {initial} | {f'{paper[0]} | {paper[1]}' if paper else '- | -'} | {values[0]:.3g} | {values[1]:.3g} |")
    return lines + ["", "![errors](pictures/rotated-cube.svg)", ""]


PARTS = {
    "curtain": (run_curtain, curtain_page),
    "strain-limit": (run_pictures("20,40,60", 1, "--width", "900", "--height", "380", scenes=["strain-limit", "volume-weights"]),
                     pictures_page("Strain limits and volume weights (Liu 2018, figures 6.1 and 6.2)", "Cloth that may stretch by 10, 20 and 30 percent, and bars with growing weights "
                                   "of shape (upper row) and of volume (lower row).")),
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
