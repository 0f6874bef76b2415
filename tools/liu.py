"""The experiments of Liu 2018, as parts of reproduce.py."""

import csv
import subprocess

import plot

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


def error_plots(lab, name, title, found):
    """Error against iterations and against time; names of the pictures."""
    pictures = []
    for key, label in (("iterations", "iterations"), ("seconds", "time, ms")):
        factor = 1000 if key == "seconds" else 1
        lines = {solver: [(max(factor * row[key], 1e-9), max(row["error"], 1e-12)) for row in rows if row["iterations"] > 0] for solver, rows in found.items()}
        picture = f"{name}-{key}.svg"
        plot.line_plot(lab.picture(picture), title, label, "relative error", lines, log_across=key == "seconds", log_up=True)
        pictures.append(f"pictures/{picture}")
    return pictures


def error_table(found, iterations):
    head = "| solver | made once a run, ms | " + " | ".join(f"after {count}" for count in iterations) + " |"
    lines = [head, "| --- " * (2 + len(iterations)) + "|"]
    for solver, rows in found.items():
        cells = " | ".join(f"{max(at(rows, count)['error'], 0):.1e} in {1000 * at(rows, count)['seconds']:.3g} ms" for count in iterations)
        lines.append(f"| {solver} | {1000 * rows[0]['prepared']:.3g} | {cells} |")
    return lines


# Figure 5.1: iterations, milliseconds, error.
CURTAIN = [(1, 5.4, 3.61e-1), (10, 50.6, 1.96e-1), (100, 501, 4.02e-2), (1000, 5050, 2.98e-4)]
CURTAIN_STEP = 15
STIFFNESSES = (1e4, 1e5, 1e6, 1e7)
RESOLUTIONS = (10, 20, 40, 80)
PBD_ITERATIONS = (5, 10, 20, 40, 80)


def lowest(lab, name):
    return min(y for _, y, _ in lab.last_frame(name))


def run_curtain(lab, part):
    solvers = {"local-global": "solver.method=local-global", "L-BFGS": LBFGS, "Newton with Cholesky": NEWTON, "Newton with PCG": "solver.method=newton-cg"}
    found = converge(lab, "curtain", "curtain-converge", solvers, "--step", str(CURTAIN_STEP), "--iterations", "1000")
    sweeps = {}
    coarse = ["--set", "body.0.shape.cells=[20,20,1]"]
    for name, choices in (("stiffness", [(f"{young:g} Pa", [*coarse, "--set", f"body.0.material.young={young}"]) for young in STIFFNESSES]),
                          ("resolution", [(f"{(cells + 1) ** 2} vertices", ["--set", f"body.0.shape.cells=[{cells},{cells},1]"]) for cells in RESOLUTIONS])):
        lines = {}
        for label, options in choices:
            rows = converge(lab, "curtain", f"curtain-{name}", {"local-global": "solver.method=local-global"}, "--count", "50", "--iterations", "100", *options)["local-global"]
            lines[label] = [(row["iterations"], max(row["error"], 1e-12)) for row in rows]
        plot.line_plot(lab.picture(f"curtain-{name}.svg"), f"Curtain, mean of 50 steps: {name}", "iterations", "relative error", lines, log_up=True)
        sweeps[name] = {label: points[-1][1] for label, points in lines.items()}
    hung = {}
    for method, options in (("pbd", ["--set", "time.scheme=pbd", "--set", "time.stiffness=0.1"]), ("local-global", [])):
        for count in PBD_ITERATIONS:
            run = f"curtain-{method}-{count}"
            lab.run("liu-2018/curtain", run, *coarse, *options, "--set", f"solver.iterations={count}", "--set", "body.0.damping.ether=3",
                    "--set", "body.0.material.young=1e5")
            hung.setdefault(method, {})[str(count)] = -lowest(lab, run)
    ours = lab.run("liu-2018/curtain", "curtain")
    return {"ours": ours, "found": found, "pictures": error_plots(lab, "curtain", f"Curtain, step {CURTAIN_STEP}", found), "sweeps": sweeps, "hung": hung,
            "montage": lab.montage("curtain", "0,8,16,24,36,60", 3, "--width", "420", "--height", "360")}


def curtain_page(part, results):
    found = results["found"]
    lines = ["## Curtain (Liu 2018, figures 5.1 to 5.3)", "",
             "Scene: `liu-2018/curtain`, 6561 vertices and springs along all edges. The error of Eq. 5.10: how far the energy of the step still is above its "
             "minimum, in parts of what it was at the start.", "", f"![curtain]({results['montage']})", "", "| iterations | thesis: time | error | ours, local-global: time | error |",
             "| --- | --- | --- | --- | --- |"]
    for count, milliseconds, error in CURTAIN:
        row = at(found["local-global"], count)
        lines.append(f"| {count} | {milliseconds:g} ms | {error:.2e} | {1000 * row['seconds']:.3g} ms | {row['error']:.2e} |")
    lines += ["", f"![error by iterations]({results['pictures'][0]})", "", f"![error by time]({results['pictures'][1]})", "", *error_table(found, (1, 10, 100)), "",
              "The thesis: local-global is ahead while little is asked for, Newton's method when all is.", "", "![stiffness](pictures/curtain-stiffness.svg)", "",
              "![resolution](pictures/curtain-resolution.svg)", "",
              "Errors after 100 iterations: " + "; ".join(", ".join(f"{label} {error:.1e}" for label, error in sweep.items()) for sweep in results["sweeps"].values()) + ". In the thesis "
              "stiffer springs and finer meshes converge more slowly. (Our springs are resolution independent as they are: their stiffness is that of the cloth.)", "", "How far a curtain of 441 vertices hangs down after 4 s, in m, by iterations a step:", "",
              "| method | " + " | ".join(map(str, PBD_ITERATIONS)) + " |", "| --- " * (1 + len(PBD_ITERATIONS)) + "|"]
    for method, depths in results["hung"].items():
        lines.append(f"| {method} | " + " | ".join(f"{depths[str(count)]:.4f}" for count in PBD_ITERATIONS) + " |")
    return lines + ["", "In the thesis position based dynamics gets stiffer with every iteration, while local-global comes closer to one answer.", ""]


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
            lines += [f"![{scene}]({made['montage']})", "", f"`liu-2018/{scene}`: {summary['dofs'] // 3} vertices, {summary['iterations'] / summary['steps']:.0f} iterations a "
                      f"step, {milliseconds:.3g} ms a frame.", ""]
        return lines + ([after, ""] if after else [])
    return page


# Models of figure 7.1, on the twisting bar.
MATERIALS = {"corotated": 'body.0.material.model="corotated"', "St. Venant-Kirchhoff": 'body.0.material.model="st-venant-kirchhoff"', "Neo-Hookean": 'body.0.material.model="neo-hookean"',
             "polynomial": 'body.0.material.model="polynomial"'}


def run_materials(lab, part):
    results = run_pictures("0,10,20,40,60,90", 3, "--width", "640", "--height", "300")(lab, part)
    rows = {}
    for name, change in MATERIALS.items():
        rows[name] = converge(lab, "twisting-bar", "materials-converge", {"ours": LBFGS, "newton": NEWTON}, "--step", "30", "--iterations", "10", "--set", change)
    return {**results, "rows": rows}


def materials_page(part, results):
    lines = pictures_page("Materials (Liu 2018, figure 7.1)", "The same load in corotated linear elasticity, St. Venant-Kirchhoff, Neo-Hookean, the polynomial material and the splines A "
                          "and B, from left to right.")(part, results)
    lines += ["One step of the twisting bar with 15,360 vertices: ten iterations of `lbfgs` against one of Newton's method.", "",
              "| material | lbfgs, 10 iterations | Newton, 1 iteration | ratio of times |", "| --- | --- | --- | --- |"]
    for name, found in results["rows"].items():
        ours, newton = at(found["ours"], 10), at(found["newton"], 1)
        lines.append(f"| {name} | {ours['error']:.1e} in {1000 * ours['seconds']:.3g} ms | {newton['error']:.1e} in {1000 * newton['seconds']:.3g} ms | "
                     f"{newton['seconds'] / ours['seconds']:.1f} |")
    return lines + ["", "The thesis: more accurate, and about ten times as fast.", ""]


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
                                                "Gast et al. 2015": "solver.method=newton-truncated", "newton-cg": "solver.method=newton-cg"}),
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


def twisting_bar_page(part, results):
    lines = pictures_page("Twisting bar (Liu 2018, figures 7.3 and 7.5 to 7.8)", f"Neo-Hookean; step {TWIST_STEP}. Times leave out what is made once for a whole run, which the tables give.")(part, results)
    for name, study in results["studies"].items():
        lines += [f"### {TWISTS[name][0]}", "", f"![{name} by iterations]({study['pictures'][0]})", "", f"![{name} by time]({study['pictures'][1]})", "",
                  *error_table(study["found"], (1, 10, 100)), ""]
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
              pictures_page("Skirt (Liu 2018, figure 5.5)", "Cloth against moving capsules and itself.")),
    "squeeze-through-torus": (run_pictures("0,40,60,80,100,149", 3, "--width", "420", "--height", "480"),
                              pictures_page("Squeezed through a ring (Liu 2018, figure 8.3)", "Contact is springs in the energy alone; the constant matrix stays as it is.")),
}
