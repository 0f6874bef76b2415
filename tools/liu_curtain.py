"""The curtain of Liu 2018, figures 5.1 and 5.3."""

import plot
from convergence import (
    FLOOR, LBFGS, NEWTON, SAID, at, converge, error_plots, error_table, file_name, listed, ms, reached, said, shown, until, where_data_lie)

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


# Other steps and curtains, whose errors after as many iterations differ: step, changes.
OTHERS = {
    **{f"step {step}": (step, []) for step in (1, 5, 10, 20, 60)},
    f"step {CURTAIN_STEP}, 441 vertices": (CURTAIN_STEP, curtain_of(20, CURTAIN_YOUNG)),
    f"step {CURTAIN_STEP}, 441 vertices, 100 kPa": (CURTAIN_STEP, curtain_of(20, 1e5)),
}

LONG = 10000  # iterations


def run_long(lab, name, step, iterations, *options):
    return converge(lab, "curtain", name, {"local-global": LOCAL_GLOBAL}, "--step", str(step), "--iterations", str(iterations),
                    *changed(f"solver.max_iterations={iterations}"), *options)["local-global"]


def run_sweep(lab, name):
    """Errors of local-global, averaged over steps, by what is varied; and a picture."""
    found = {label: converge(lab, "curtain", file_name("curtain", name, label), {"local-global": LOCAL_GLOBAL}, "--count", str(AVERAGED), "--iterations", "100", *options)["local-global"]
             for label, options in SWEEPS[name].items()}
    if name != "one cloth":
        lines = {label: shown(rows, "iterations") for label, rows in found.items()}
        plot.line_plot(lab.picture(f"curtain-{name}.svg"), f"Curtain, mean of {AVERAGED} steps: {name}", "iterations", "relative error", lines, log_up=True)
    return found


def hung_depth(lab, method, changes, count):
    """How far a small, soft curtain hangs down in the end."""
    name = file_name("curtain-hung", method, str(count))
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
            "others": {label: run_long(lab, file_name("curtain", label), step, 1000, *options) for label, (step, options) in OTHERS.items()},
            "long": run_long(lab, "curtain-long", CURTAIN_STEP, LONG),
            "hung": {method: [hung_depth(lab, method, changes, count) for count in HUNG_ITERATIONS] for method, changes in HUNG.items()},
            "montage": lab.montage("curtain", "0,8,16,24,36,60", 3, "--width", "420", "--height", "360")}


# What the thesis says in words of the same step: iterations of local-global and one of Newton with PCG, ms and errors.
IN_WORDS = {"local-global": (10, 50.6, 0.196), "Newton with PCG": (1, 181, 0.2496)}


def as_good(found):
    """What local-global takes to be where one iteration of Newton with PCG is."""
    newton, ours = at(found["Newton with PCG"], 1), at(found["local-global"], 10)
    there = reached(found["local-global"], newton["error"])
    by_then = until(found["local-global"], newton["seconds"])
    text = (f"Here ten iterations of local-global get to {ours['error']:.3g} in {ms(ours['seconds'])} ms and one of Newton with PCG to {newton['error']:.3g} in {ms(newton['seconds'])} ms, "
            f"by when local-global has done {by_then['iterations']:.0f} and is at {by_then['error']:.3g}; ")
    return text + (f"it is where Newton is after {there['iterations']:.0f} iterations and {ms(there['seconds'])} ms." if there else "it does not get where Newton is.")


def beside_thesis(found, others, long):
    """Where local-global is ahead of the thesis, and what the last error depends on."""
    ours = {count: at(found["local-global"], count)["error"] for count, _, _ in CURTAIN}
    ahead = [count for count, _, error in CURTAIN if ours[count] < error]
    behind = [f"after {count}, where {ours[count]:.3g} is {ours[count] / error:.3g} times the thesis's error" for count, _, error in CURTAIN if ours[count] >= error]
    text = f"After {listed(ahead)} iterations the error of ours is smaller than the thesis's" if ahead else "The error of ours is nowhere smaller than the thesis's"
    text += f", and larger {listed(behind)}. " if behind else ". "
    slow = ": it is slow there and not stuck" if at(long, LONG)["error"] < 0.5 * at(long, 1000)["error"] else ""
    return text + ("The thesis gives neither the step nor the stiffness, the damping and the number of vertices of this curtain. What a thousand iterations leave depends on them: "
                   + "; ".join(f"{label} {said(at(rows, 1000)['error'])}" for label, rows in others.items()) + ". "
                   f"At step {CURTAIN_STEP} {LONG:,} iterations leave {said(at(long, LONG)['error'])}{slow}. Which of these makes the difference to the thesis we do not know.")


def ends(found):
    """Who has ended below the reference."""
    lower = [f"{solver} {-rows[-1]['error']:.1e} lower" for solver, rows in found.items() if rows[-1]["error"] <= -FLOOR]
    text = "Solvers may end in different minima, since a pressed cloth folds in one way or another"
    return text + (f": here {listed(lower)} than the reference." if lower else ".")


def sweep_text(sweep):
    return ", ".join(f"{label} {said(rows[-1]['error'])}" for label, rows in sweep.items())


def hung_text(hung):
    """How much higher curtains hang with the most iterations than with the fewest."""
    rises = listed([f"{depths[0] - depths[-1]:.3f} m with {method}" for method, depths in hung.items()])
    apart = hung["`xpbd`"][-1] - hung["`local-global`"][-1]
    return (f"From {HUNG_ITERATIONS[0]} to {HUNG_ITERATIONS[-1]} iterations the lowest vertex rises by {rises}. The thesis: position based dynamics gets stiffer with every iteration, even where its parameter is "
            f"adjusted to their number (second row), while local-global comes closer to one answer. With compliances (`xpbd`) {HUNG_ITERATIONS[-1]} iterations end {abs(apart):.4f} m from the answer of "
            "local-global.")


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
        "", beside_thesis(found, results["others"], results["long"]), "",
        f"![error by iterations]({pictures[0]})", "", f"![error by time]({pictures[1]})", "", *error_table(found, (1, 10, 100, 1000)), "",
        f"{SAID} {ends(found)} The thesis: local-global is ahead while little is asked for, Newton's method when all is; ten iterations of "
        f"local-global get to {IN_WORDS['local-global'][2]} in {IN_WORDS['local-global'][1]} ms, one of Newton with PCG to {IN_WORDS['Newton with PCG'][2]} in {IN_WORDS['Newton with PCG'][1]} ms. {as_good(found)}", "",
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
        hung_text(results["hung"]), "", where_data_lie("curtain"), ""]
