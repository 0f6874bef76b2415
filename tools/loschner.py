"""The experiments of Loschner et al. 2020, as parts of reproduce.py."""

import math
import statistics

import loschner_beam
import plot
from loschner_beam import SCHEMES, envelope, side_by_side

# Steps of the bouncing ball, s, with the steps a frame that make them.
BALL_STEPS = {"5 ms": 10, "0.5 ms": 100}
BALL_SCHEMES = ("backward-euler", "sdirk2")


def run_ball(lab, part):
    lines, rows, ours = {}, [], None
    for label, per_frame in BALL_STEPS.items():
        for scheme in BALL_SCHEMES:
            run = f"ball-{scheme}-{label.replace(' ', '').replace('.', '')}"
            ours = lab.run("loschner-2020/ball", run, "--set", f"time.scheme={scheme}", "--set", f"time.steps_per_frame={per_frame}")
            steps = lab.steps(run)
            mass = (ours["start"]["gravitational"] / 9.81) / 3.5
            loss = [(float(step["time"]), (ours["start"]["total"] - float(step["total"])) / mass) for step in steps]
            lines[f"{SCHEMES[scheme]}, {label}"] = loss[::max(1, len(loss) // 600)]
            rows.append({"scheme": scheme, "step": label, "converged": f"{ours['steps_converged']}/{ours['steps']}", "lost": loss[-1][1],
                         "lost_at_2": next(lost for time, lost in loss if time >= 2), "gained": min(lost for _, lost in loss),
                         "flight": in_flight(steps, ours["start"]["total"]) / mass, "rise": largest_rise(loss),
                         "gap": min(float(step["smallest_gap"]) for step in steps), "seconds": ours["seconds"]["total"] / 10})
    plot.line_plot(lab.picture("ball-energy.svg"), "Bouncing ball, energy lost", "time, s", "energy lost, J/kg", lines)
    return {"ours": ours, "rows": rows, "picture": "pictures/ball-energy.svg",
            "montage": lab.montage("ball-sdirk2-5ms", "0,15,16,17,18,24,32,40", 4, "--width", "360", "--height", "360")}


def in_flight(steps, start):
    """The energy lost in steps in which nothing touches, J."""
    totals = [start, *(float(step["total"]) for step in steps)]
    return sum(before - after for before, after, step in zip(totals, totals[1:], steps) if step["contacts"] == "0")


def largest_rise(loss):
    """Of the energy above what it had been before."""
    most, rise = -math.inf, 0
    for _, lost in loss:
        most = max(most, lost)
        rise = max(rise, most - lost)
    return rise


def ball_page(part, results):
    lines = ["## Bouncing ball (Löschner et al. 2020, figure 8)", "",
             "Scene: `loschner-2020/ball`, contact as a quadratic program. The energy that the ball has lost, per kg; when it lies on the floor it has lost some 29.5 J/kg.", "",
             f"![energy lost]({results['picture']})", "", "| scheme | step | converged | lost after 2 s, J/kg | after 10 s | of that in steps without contact | most above the start | largest rise in between | deepest below the floor, mm | "
             "seconds per simulated s |", "|" + " --- |" * 10]
    for row in results["rows"]:
        lines.append(f"| {SCHEMES[row['scheme']]} | {row['step']} | {row['converged']} | {row['lost_at_2']:.2f} | {row['lost']:.2f} | {row['flight']:.2f} | {max(0, -row['gained']):.2g} | {row['rise']:.2g} | "
                     f"{1000 * max(0, -row['gap']):.2g} | {row['seconds']:.2f} |")
    return lines + ["", "The paper shows the same order: less is lost with SDIRK2 than with backward Euler, and less with short steps. Between impacts the paper's ball loses less with SDIRK2, too; here it loses more in steps without "
                    "contact than with backward Euler, since impacts leave it more wobbling, which the steps damp. Within an impact the energy may rise again, by what the table says. Frames of SDIRK2 at 5 ms:", "", f"![ball]({results['montage']})", ""]


# Table 1 of the paper: scene, scheme, step in ms, seconds per simulated second, Newton iterations a step.
TABLE = [("jello", "backward-euler", 5, 21.3, 1.0), ("jello", "backward-euler", 0.5, 191.4, 1.0), ("jello", "backward-euler", 0.05, 1907.3, 1.0),
         ("jello", "sdirk2", 5, 34.42, 2.0), ("jello", "tr-bdf2-b", 5, 40.8, 2.0), ("cloth-wind", "backward-euler", 5, 37.92, 2.51),
         ("cloth-wind", "backward-euler", 0.05, 1530.42, 1.01), ("cloth-wind", "sdirk2", 5, 100.32, 6.90), ("cloth-wind", "tr-bdf2-b", 5, 102.46, 6.59),
         ("cloth-wind", "sdirk-4347", 5, 533.58, 20.78), ("suspended", "sdirk2", 5, 242.4, 5.48)]


def label(scheme, milliseconds):
    return f"{SCHEMES[scheme]}, {milliseconds:g} ms"


def run_name(scene, scheme, milliseconds):
    return f"{scene}-{scheme}-{milliseconds:g}ms".replace(".", "")


# Runs of so short steps, ms, take an hour. How long they take is measured on their first part, s, alone on the machine; the rest runs on one
# thread beside others.
SLOW = 0.05
AIMS = {"jello": 10, "cloth-wind": 5}  # how many times as fast as in the paper SDIRK2 is to be with 5 ms
NOISE = 0.25  # by how much times vary, as the head of the page says
TIMED = "0.2"
RATES = {"jello": 100, "cloth-wind": 25, "suspended": 25}  # frames a second; the jello swings 5 times in one


def row_options(scene, scheme, milliseconds):
    return ["--set", f"time.scheme={scheme}", "--set", f"frame_rate={RATES[scene]}", "--set", f"time.steps_per_frame={round(1000 / RATES[scene] / milliseconds)}"]


# What is simulated, s, of a scheme that takes many times as long as the others.
BRIEF = {"sdirk-4347": "1"}


def time_rows(lab, scene):
    """The runs that are alone on the machine, by scheme and step."""
    timed = {}
    for scheme, step in rows_of(scene):
        name, options = name_of_timed(scene, scheme, step), row_options(scene, scheme, step)
        if scheme in BRIEF:
            options += ["--set", f"duration={BRIEF[scheme]}"]
        if step == SLOW:
            options += ["--set", f"duration={TIMED}"]
        timed[scheme, step] = lab.run(f"loschner-2020/{scene}", name, *options)
    return timed


def name_of_timed(scene, scheme, step):
    return run_name(scene, scheme, step) + ("-timed" if step == SLOW else "")


def times_as_long(slow, fast):
    """Of one row as another; the first is timed for its first moments only."""
    return (f"{slow['early'] / fast['early']:.0f} times as long in the first {TIMED} s, which is what was timed of it, and {slow['seconds'] / fast['seconds']:.0f} times as long as the other takes on average")


def run_rows(lab, scene, *slow_options):
    """The runs of a scene's rows in the table, and what they took."""
    rows = []
    for (scheme, step), timed in time_rows(lab, scene).items():
        run, summary = run_name(scene, scheme, step), timed
        if step == SLOW:
            summary = lab.run(f"loschner-2020/{scene}", run, *row_options(scene, scheme, step), "--threads", "1", *slow_options)
        first = [s for s in lab.steps(name_of_timed(scene, scheme, step)) if float(s["time"]) < float(TIMED) + 1e-9]
        rows.append({"scheme": scheme, "step": step, "run": run, "summary": summary, "early": sum(float(s["seconds_step"]) for s in first) / float(TIMED), "seconds": timed["seconds"]["total"] / (timed["frames"] / RATES[scene]),
                     "iterations": summary["iterations"] / summary["steps"], "converged": f"{summary['steps_converged']}/{summary['steps']}"})
    return rows


def rows_of(scene):
    return [(scheme, step) for of, scheme, step, _, _ in TABLE if of == scene]


def table_row(scene, row, *more):
    seconds, iterations = next((paper[3:] for paper in TABLE if paper[:3] == (scene, row["scheme"], row["step"])), ("", ""))
    faster = f"{seconds / row['seconds']:.1f}" if seconds else ""
    return (f"| {label(row['scheme'], row['step'])} | {seconds} | {row['seconds']:.2f} | {faster} | {iterations} | {row['iterations']:.2f} | {row['converged']} | "
            + " | ".join(more) + " |")


def margin(scene, row):
    """How the time of SDIRK2 lies to what we aim at."""
    faster, aim = next(paper[3] for paper in TABLE if paper[:3] == (scene, row["scheme"], row["step"])) / row["seconds"], AIMS[scene]
    close = ": a margin within the quarter by which times vary, so that another hour may give less, or more" if abs(faster / aim - 1) <= NOISE else ""
    return f"SDIRK2 with 5 ms is {faster:.1f} times as fast as the paper's, where we aim at {aim}{close}."


def table_head(*more):
    names = ["", "seconds per simulated s, paper", "ours", "times as fast", "Newton iterations a step, paper", "ours", "converged", *more]
    return ["| " + " | ".join(names) + " |", "|" + " --- |" * len(names)]


def swing(lab, run, rate):
    """How far the highest vertex is from where it started to the side, by time, m."""
    frames = lab.frame_files(run)
    first = lab.places(frames[0])
    top = max(range(len(first)), key=lambda i: first[i][1] - 0.1 * math.hypot(first[i][0], first[i][2]))
    return [(number / rate, lab.places(file)[top][0] - first[top][0]) for number, file in enumerate(frames)]


def run_jello(lab, part):
    rows, lines = run_rows(lab, "jello"), {}
    for row in rows:
        track = swing(lab, row["run"], RATES["jello"])
        row["amplitude"] = {str(t): max(abs(x) for time, x in track if t - 1 <= time <= t) for t in (2, 5, 10)}
        lines[label(row["scheme"], row["step"])] = envelope([(time, abs(x)) for time, x in track if time > 0.4], 40)
    plot.line_plot(lab.picture("jello-amplitude.svg"), "Wobbling jello", "time, s", "largest way of the top to the side, m", lines)
    return {"ours": rows[3]["summary"], "rows": rows, "picture": "pictures/jello-amplitude.svg",
            "montage": lab.montage(run_name("jello", "sdirk2", 5), "0,16,24,32,200,208,500,1000", 4, "--width", "360", "--height", "300")}


def jello_page(part, results):
    rows = {(row["scheme"], row["step"]): row for row in results["rows"]}
    fine, ours = rows["backward-euler", 0.05], rows["sdirk2", 5]
    lines = ["## Wobbling jello (Löschner et al. 2020, figure 5)", "", f"Scene: `loschner-2020/jello`, {results['ours']['dofs']} degrees of freedom, 10 s. How far the top swings to the side:", "",
             f"![amplitude]({results['picture']})", "", *table_head("largest swing in the second before 2 s, mm", "5 s", "10 s")]
    lines += [table_row("jello", row, *(f"{1000 * row['amplitude'][t]:.1f}" for t in ("2", "5", "10"))) for row in results["rows"]]
    return lines + ["", f"After 10 s the jello swings by {1000 * fine['amplitude']['10']:.1f} mm with backward Euler and steps of 0.05 ms, by {1000 * ours['amplitude']['10']:.1f} mm with SDIRK2 and 5 ms. Backward Euler takes "
                    f"{times_as_long(fine, ours)} (the paper: 55 times). Each stage is a linear problem, which conjugate gradients solve only as exactly as a step of Newton's method needs: hence more than one iteration a stage. "
                    f"{margin('jello', ours)} Frames of SDIRK2:", "", f"![jello]({results['montage']})", ""]


CLOTH_SECONDS = "1"  # what is simulated of the slow run


def run_cloth(lab, part):
    rows, lines = run_rows(lab, "cloth-wind", "--set", f"duration={CLOTH_SECONDS}"), {}
    for row in rows:
        kinetic = [(float(s["time"]), float(s["kinetic"])) for s in lab.steps(row["run"])]
        row["kinetic"] = statistics.mean(k for t, k in kinetic if 0.5 <= t <= 1)
        row["late"] = statistics.mean(k for t, k in kinetic if t > 1) if kinetic[-1][0] > 5 else None
        row["first"] = statistics.mean(int(s["iterations"]) for s in lab.steps(row["run"]) if float(s["time"]) <= 1)
        lines[label(row["scheme"], row["step"])] = kinetic[::max(1, len(kinetic) // 400)]
    damped = lab.run("loschner-2020/cloth-wind", "cloth-wind-damped", "--set", "body.0.damping.stiffness=2e-4")
    lines["SDIRK2, 5 ms, beta 2e-4 s"] = [(float(s["time"]), float(s["kinetic"])) for s in lab.steps("cloth-wind-damped")][::3]
    plot.line_plot(lab.picture("cloth-kinetic.svg"), "Thick cloth in the wind", "time, s", "kinetic energy, J", lines)
    size = ["--width", "360", "--height", "360", "--camera", "5,0.5,-4.5", "--look-at", "0.4,0,0.4"]
    montages = {label(scheme, step): lab.montage(run_name("cloth-wind", scheme, step), "10,15,20,25", 4, *size) for scheme, step in rows_of("cloth-wind")}
    montages["SDIRK2, 5 ms, beta 2e-4 s"] = lab.montage("cloth-wind-damped", "10,15,20,25", 4, *size)
    return {"ours": rows[2]["summary"], "rows": rows, "damped": damped, "picture": "pictures/cloth-kinetic.svg", "montages": montages}


def cloth_page(part, results):
    rows = {(row["scheme"], row["step"]): row for row in results["rows"]}
    fine, ours, coarse = rows["backward-euler", 0.05], rows["sdirk2", 5], rows["backward-euler", 5]
    lines = ["## Thick cloth in the wind (Löschner et al. 2020, figure 6)", "",
             f"Scene: `loschner-2020/cloth-wind`, {results['ours']['dofs']} degrees of freedom, 6 s; 1 s with steps of 0.05 ms and with SDIRK(4,3,4,7).", "", f"![kinetic energy]({results['picture']})", "",
             *table_head("iterations a step in the first second", "mean kinetic energy from 0.5 to 1 s, J", "from 1 to 6 s")]
    lines += [table_row("cloth-wind", row, f"{row['first']:.2f}", f"{row['kinetic']:.1f}", f"{row['late']:.1f}" if row["late"] else "") for row in results["rows"]]
    damped = results["damped"]
    lines += ["", f"SDIRK2 takes {ours['iterations'] / coarse['iterations']:.1f} times the iterations of backward Euler with the same steps (the paper: 2.7). "
              f"Backward Euler with steps of 0.05 ms takes {times_as_long(fine, ours)} (the paper: almost 17 times by its text, 15 by its table). {margin('cloth-wind', ours)} With stiffness damping of 2e-4 s it takes "
              f"{damped['iterations'] / damped['steps']:.2f} iterations a step, {damped['steps_converged']}/{damped['steps']} converge. Frames at 0.4, 0.6, 0.8 and 1 s:", ""]
    for name, picture in results["montages"].items():
        lines += [f"{name}:", "", f"![{name}]({picture})", ""]
    return lines


def run_damped_cloth(lab, part):
    names = {row: f"{run_name('cloth-wind', *row)}-damped" for row in sorted(rows_of("cloth-wind"), key=lambda row: row[1])}  # the longest first
    done = side_by_side(lab, {name: [*row_options("cloth-wind", *row), "--set", "body.0.damping.stiffness=2e-4", "--set", f"duration={CLOTH_SECONDS}"] for row, name in names.items()}, "cloth-wind")
    rows, lines = [], {}
    for scheme, step in rows_of("cloth-wind"):
        name = names[scheme, step]
        steps = lab.steps(name)
        kinetic = [(float(s["time"]), float(s["kinetic"])) for s in steps]
        lines[label(scheme, step)] = kinetic[::max(1, len(kinetic) // 400)]
        rows.append({"scheme": scheme, "step": step, "summary": done[name], "kinetic": statistics.mean(k for t, k in kinetic if 0.5 <= t <= 1), "damping": sum(float(s["loss_damping"]) for s in steps)})
    plot.line_plot(lab.picture("cloth-kinetic-damped.svg"), "Thick cloth in the wind, beta 2e-4 s", "time, s", "kinetic energy, J", lines)
    return {"ours": rows[2]["summary"], "rows": rows, "picture": "pictures/cloth-kinetic-damped.svg"}


def damped_cloth_page(part, results):
    lines = ["## Thick cloth in the wind, damped (Löschner et al. 2020, figure 6)", "",
             f"The same with stiffness damping of 2e-4 s, the first {CLOTH_SECONDS} s:", "", f"![kinetic energy]({results['picture']})", "",
             "| | Newton iterations a step | converged | mean kinetic energy from 0.5 to 1 s, J | lost to damping and to the air until 1 s, J |", "| --- " * 5 + "|"]
    for row in results["rows"]:
        summary = row["summary"]
        lines.append(f"| {label(row['scheme'], row['step'])} | {summary['iterations'] / summary['steps']:.2f} | "
                     f"{summary['steps_converged']}/{summary['steps']} | {row['kinetic']:.1f} | {row['damping']:.1f} |")
    return lines + [""]


EXTREME_SCHEMES = ("backward-euler", "ros3pl", "sdirk-4347", "sdirk2")
COARSE_CREATURE, FIRST_STEP = "coarse", "first step"
COARSE_OPTIONS = ("--set", "body.0.shape.cell=0.1", "--set", "duration=0.3")
EXTREME_SECONDS = {"0": 30, "1e-3": 4}  # what is simulated, by damping: without it energy may grow slowly


def grows(totals):
    """Whether the energy, at its most in the last tenth, is more than twice the least before."""
    return max(total for _, total in totals[-len(totals) // 10:]) > 2 * min(total for _, total in totals)


def recovered_at(steps):
    """When no element is inverted any more."""
    last = max((i for i, step in enumerate(steps) if int(step["inverted"]) > 0), default=-1)
    return None if last + 1 >= len(steps) else float(steps[last + 1]["time"])


def run_extreme(lab, part):
    scene = "loschner-2020/extreme"
    results = {"rows": [], "lines": {}}

    def row(name, run, *options):
        summary = lab.run(scene, run, *options)
        steps = lab.steps(run)
        totals = [(float(s["time"]), float(s["total"])) for s in steps]
        results["rows"].append({"name": name, "converged": f"{summary['steps_converged']}/{summary['steps']}", "iterations": summary["iterations"] / summary["steps"],
                                "first": int(steps[0]["iterations"]), "recovered": recovered_at(steps), "inverted": summary["final"]["inverted_elements"],
                                "start": summary["start"]["total"], "end": totals[-1][1], "most": max(t for _, t in totals), "grows": grows(totals), "seconds": summary["seconds"]["total"] / totals[-1][0]})
        return summary, totals

    results["ours"], _ = row("SDIRK2, minimisation", "extreme-sdirk2")
    row("BE, minimisation", "extreme-backward-euler", "--set", "time.scheme=backward-euler")
    # With as many iterations as minimisation may take. One step of the creature takes minutes: a coarser one shows how it goes on.
    for scheme in ("sdirk2", "backward-euler"):
        root_finding = ("--set", f"time.scheme={scheme}", "--set", "solver.method=newton-residual")
        row(f"{SCHEMES[scheme]}, root finding, {FIRST_STEP}", f"extreme-{scheme}-residual", *root_finding, "--set", "frame_rate=200", "--set", "time.steps_per_frame=1", "--set", "duration=0.005")
        row(f"{SCHEMES[scheme]}, root finding, {COARSE_CREATURE}", f"extreme-{scheme}-residual-coarse", *root_finding, *COARSE_OPTIONS)
        row(f"{SCHEMES[scheme]}, minimisation, {COARSE_CREATURE}", f"extreme-{scheme}-coarse", "--set", f"time.scheme={scheme}", *COARSE_OPTIONS)
    lines = {}
    for damping in ("0", "1e-3"):
        for scheme in EXTREME_SCHEMES:
            name = f"{SCHEMES[scheme]}, corotated, fixed rotations" + (f", beta {damping} s" if damping != "0" else "")
            _, totals = row(name, f"extreme-lagged-{scheme}-{damping}", "--set", f"time.scheme={scheme}", "--set", "body.0.material.model=lagged-corotated", "--set",
                            f"body.0.damping.stiffness={damping}", "--set", f"duration={EXTREME_SECONDS[damping]}", "--set", "solver.on_failure=stop")
            lines[f"{SCHEMES[scheme]}" + (", damped" if damping != "0" else "")] = envelope([(time, energy) for time, energy in totals if energy < 1e9])
    plot.line_plot(lab.picture("extreme-energy.svg"), "Extreme deformation, corotated with fixed rotations", "time, s", "energy, J", lines, log_up=True)
    results["picture"] = "pictures/extreme-energy.svg"
    results["montage"] = lab.montage("extreme-sdirk2", "0,1,2,4,8,16,50,100", 4, "--width", "360", "--height", "300")
    return results


def root_finding_text(rows):
    """How root finding ends, and what becomes of a run that passes over its failed steps."""
    ends, coarse = [], []
    for row in rows:
        scheme, steps = row["name"].split(",")[0], row["converged"].split("/")
        if f"root finding, {COARSE_CREATURE}" in row["name"]:
            found = "still has inverted elements at the end" if row["recovered"] is None else f"has none inverted from {row['recovered']:.3f} s on"
            coarse.append(f"with {scheme} {int(steps[1]) - int(steps[0])} of {steps[1]} steps are not solved, and it {found}")
        elif FIRST_STEP in row["name"]:
            ends.append(f"after {row['first']} iterations with {scheme}")
    return (f"Here it may take as many iterations as minimisation, 2000 a stage; the first step ends before that, {' and '.join(ends)}, where no part of Newton's step makes the residual smaller. A run may go on from there. "
            f"Of a coarse creature (cells of 0.1 m, the first 0.3 s), {'; '.join(coarse)}. Which of these finds back after steps that were not solved differs from machine to machine: roundoff decides. Minimisation solves all steps.")


def extreme_page(part, results):
    ours = results["ours"]
    lines = ["## Extreme deformation (Löschner et al. 2020, figure 7)", "", f"Scene: `loschner-2020/extreme`, {ours['dofs']} degrees of freedom. Frames 0, 1, 2, 4, 8, 16, 50 and 100 of SDIRK2 with the "
             "stable Neo-Hookean material:", "", f"![extreme]({results['montage']})", "",
             "| | converged | iterations of the first step | a step | nothing inverted from, s | inverted at the end | energy at the start, J | most later | at the end | seconds per simulated s |",
             "|" + " --- |" * 10]
    for row in results["rows"]:
        recovered = "never" if row["recovered"] is None else f"{row['recovered']:.3f}"
        seconds = "" if FIRST_STEP in row["name"] else f"{row['seconds']:.2f}"  # one step that is not solved is no speed
        lines.append(f"| {row['name']} | {row['converged']} | {row['first']} | {row['iterations']:.1f} | {recovered} | {row['inverted']} | {row['start']:.3g} | {row['most']:.3g} | {row['end']:.3g} | {seconds} |")
    unstable = [row["name"] for row in results["rows"] if "corotated" in row["name"] and row["grows"]]
    return lines + ["", "The paper could not recover strongly nonlinear materials with any scheme above first order by root finding. " + root_finding_text(results["rows"]), "", "With corotated elasticity and rotations fixed at the start of the step, the "
                    "paper found only backward Euler stable for long without damping, and all with a damping of 1e-3 s. Here, in 30 s without damping and 4 s with it, the "
                    f"energy grows with {'; '.join(unstable) or 'none'} (at its most in the last tenth of the time more than twice the least before; a run that blows up is stopped, its last step unsolved), and falls or stays with the others:", "", f"![energy]({results['picture']})", ""]


def run_suspended(lab, part):
    row, = run_rows(lab, "suspended")
    steps = lab.steps(row["run"])
    row["overlap"] = max(float(step["overlap"]) for step in steps)
    row["share"] = sum(float(step["seconds_contact"]) for step in steps) / sum(float(step["seconds_step"]) for step in steps)
    return {"ours": row["summary"], "row": row, "montage": lab.montage(row["run"], "0,10,12,25,27,40,55,99", 4, "--width", "360", "--height", "300", "--camera", "1.6,0.3,2.6", "--look-at", "0,0,0")}


def suspended_page(part, results):
    row = results["row"]
    return ["## Suspended creature (Löschner et al. 2020, figure 1)", "", f"Scene: `loschner-2020/suspended`, {results['ours']['dofs']} degrees of freedom. Frames 0, 10, 12, 25, 27, 40, 55 and 99:", "",
            f"![suspended]({results['montage']})", "", *table_head("largest overlap, mm", "of the time on contact"),
            table_row("suspended", row, f"{1000 * row['overlap']:.1f}", f"{100 * row['share']:.0f}%"), ""]


DUCK = 0.3  # m


def falls_through(lab, run, summary):
    """Which ducks go from above a trampoline to below it between two frames, within its sheet; and how many come to each trampoline."""
    start, first = {}, 0
    for body in summary["bodies"]:
        start[body["name"]] = (first, first + body["vertices"])
        first += body["vertices"]
    sheets = [name for name in start if name.startswith("trampoline")]
    above, fallen, met = {}, set(), {sheet: set() for sheet in sheets}
    for file in lab.frame_files(run):
        places = lab.places(file)
        for duck in (name for name in start if name.startswith("duck")):
            own = places[slice(*start[duck])]
            x, y, z = (sum(place[k] for place in own) / len(own) for k in range(3))
            for sheet in sheets:
                nearest = min(places[slice(*start[sheet])], key=lambda place: (place[0] - x) ** 2 + (place[2] - z) ** 2)
                inside = math.hypot(nearest[0] - x, nearest[2] - z) < 0.06  # the cells' half diagonal, and some stretch
                now = y > nearest[1] if inside else None
                if above.get((duck, sheet)) and now is False:
                    fallen.add(duck)
                if inside and abs(y - nearest[1]) < DUCK:
                    met[sheet].add(duck)
                above[duck, sheet] = now
    return sorted(fallen), {sheet: len(ducks) for sheet, ducks in met.items()}


def run_trampolines(lab, part):
    summary = lab.run("loschner-2020/trampolines", part)
    steps = lab.steps(part)
    fallen, met = falls_through(lab, part, summary)
    return {"ours": summary, "fallen": fallen, "met": met, "overlap": max(float(step["overlap"]) for step in steps), "contacts": max(int(step["contacts"]) for step in steps),
            "share": sum(float(step["seconds_contact"]) for step in steps) / sum(float(step["seconds_step"]) for step in steps),
            "montage": lab.montage(part, "0,20,40,60,90,120,150,199", 4, "--width", "360", "--height", "440", "--camera", "3.6,-0.4,11", "--look-at", "0,-1.6,0")}


def trampolines_page(part, results):
    ours = results["ours"]
    return ["## Duck trampolines (Löschner et al. 2020, figure 1)", "", f"Scene: `loschner-2020/trampolines`, {ours['dofs']} degrees of freedom. Frames 0, 20, 40, 60, 90, 120, 150 and 199:", "",
            f"![trampolines]({results['montage']})", "", f"{ours['steps_converged']} of {ours['steps']} steps converge, with {ours['iterations'] / ours['steps']:.1f} iterations a step, "
            f"up to {results['contacts']} contacts, and a vertex at most {1000 * results['overlap']:.1f} mm inside of another body; {100 * results['share']:.0f}% of "
            f"{ours['seconds']['total'] / ours['frames'] * 25:.0f} seconds per simulated second go to contact. To the trampolines, from "
            f"top to bottom, come {', '.join(map(str, results['met'].values()))} ducks. Ducks that fall through one: {', '.join(results['fallen']) or 'none'}.", ""]


PARTS = {**loschner_beam.PARTS, "jello": (run_jello, jello_page), "cloth-wind": (run_cloth, cloth_page), "cloth-wind-damped": (run_damped_cloth, damped_cloth_page),
         "extreme": (run_extreme, extreme_page), "ball": (run_ball, ball_page), "suspended": (run_suspended, suspended_page),
         "trampolines": (run_trampolines, trampolines_page)}
