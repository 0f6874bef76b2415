"""The experiments of Loschner et al. 2020, as parts of reproduce.py."""

import concurrent.futures
import math
import os
import statistics

import plot

# As the paper calls them, in the order of its figure 3.
SCHEMES = {"backward-euler": "BE", "sdirk2": "SDIRK2", "sdirk3": "SDIRK3", "tr-bdf2-b": "TR-BDF2(B)", "sdirk-ncs23": "SDIRK-NCS23",
           "sdirk-nc34": "SDIRK-NC34", "sdirk-3345": "SDIRK(3,3,4,5)", "sdirk-4347": "SDIRK(4,3,4,7)", "ros3pl": "ROS3PL"}
ORDERS = {"backward-euler": 1, "sdirk2": 2, "sdirk3": 3, "tr-bdf2-b": 2, "sdirk-ncs23": 3, "sdirk-nc34": 4, "sdirk-3345": 3, "sdirk-4347": 3, "ros3pl": 3}
BEAM_MASS = 1000 * 1.3 * 0.1625 ** 2  # kg
# Those that the paper does not have.
OTHERS = {"implicit-midpoint": "implicit midpoint", "trapezoidal": "trapezoidal rule", "newmark": "Newmark", "generalized-alpha": "generalised-alpha", "bdf2": "BDF2", "tr-bdf2": "TR-BDF2",
          "esdirk-324": "ESDIRK 3/2, 4 stages", "esdirk-436": "ESDIRK 4/3, 6 stages", "ros3prl2": "ROS3PRL2", "ros34pw2": "ROS34PW2"}
BEAM_PARTS = {"beam": ("33 ms", SCHEMES), "beam-fine": ("5 ms", SCHEMES), "beam-others": ("33 ms", OTHERS), "beam-others-fine": ("5 ms", OTHERS)}
BEAM_SECONDS = 200  # what is simulated
PAPER_RANKING = {"33 ms": "In the paper SDIRK2 and TR-BDF2(B) have the smallest error during all of the simulation, as here.",
                 "5 ms": "In the paper SDIRK(3,3,4,5) and SDIRK(4,3,4,7) have the smallest error over long times, then SDIRK2 and TR-BDF2(B). That is not so here: steps of 5 ms resolve the "
                         "beam's first modes and not its higher ones, of which the paper's beam, whose size it does not give, may hold less."}
AT_REST = 0.688
BLOWN_UP = 10  # J/kg, where plots end
BEAM_STEPS = {"33 ms": ("30.303030303030305", "1"), "5 ms": ("10", "20")}  # frames a second, steps a frame
# Steps of the study of orders, s, with the frames a second and steps a frame that make them.
ORDER_STEPS = {1.0: (1, 1), 0.5: (2, 1), 0.2: (5, 1), 0.1: (10, 1), 0.05: (10, 2), 0.02: (10, 5), 0.01: (10, 10), 0.005: (10, 20), 0.002: (10, 50), 0.001: (10, 100),
               0.0001: (10, 1000)}
FINE = 0.002  # s; between steps up to this slopes are given
ORDER_TOLERANCE = 1e-11  # of the stages, m/s
PAPER_SLOPES = {"backward-euler": "1", "sdirk-3345": "3 or more", "sdirk-4347": "3 or more"}  # of figure 4; of the others:
PAPER_SLOPE = "2 to 3"


def energy_errors(steps, start):
    """|total energy - that of the start| by time, J/kg."""
    return [(float(step["time"]), abs(float(step["total"]) - start) / BEAM_MASS) for step in steps]


def envelope(points, count=300):
    """The largest of each of `count` stretches of time."""
    length = max(1, len(points) // count)
    return [max(points[i:i + length], key=lambda point: point[1]) for i in range(0, len(points), length)]


def side_by_side(lab, runs, scene="beam"):
    """Runs with one thread each: name of the run to options. Returns their summaries."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        futures = {name: pool.submit(lab.run, f"loschner-2020/{scene}", name, "--threads", "1", *options) for name, options in runs.items()}
        return {name: future.result() for name, future in futures.items()}


def beam_options(scheme, rate, per_frame):
    return ["--set", f"time.scheme={scheme}", "--set", f"frame_rate={rate}", "--set", f"time.steps_per_frame={per_frame}"]


def run_beam(lab, part):
    label, schemes = BEAM_PARTS[part]
    names = {scheme: f"beam-{scheme}-{label.replace(' ', '')}" for scheme in schemes}
    # Of those that damp nothing, some blow up; then a step takes hundreds of iterations.
    stop = ["--set", "solver.max_iterations=30", "--set", "solver.on_failure=stop"] if schemes is OTHERS else []
    done = side_by_side(lab, {name: [*beam_options(scheme, *BEAM_STEPS[label]), "--set", f"duration={BEAM_SECONDS}", *stop] for scheme, name in names.items()})
    lines, errors = {}, {}
    for scheme, name in names.items():
        points = energy_errors(lab.steps(name), done[name]["start"]["total"])
        lines[schemes[scheme]] = [(time, min(error, BLOWN_UP)) for time, error in envelope(points)]
        errors[scheme] = {str(t): max((error for time, error in points if t - 2 <= time <= t), default=math.inf) for t in (2, 20, BEAM_SECONDS)}
    picture = f"{part if schemes is OTHERS else 'beam'}-energy-{label.replace(' ', '')}.svg"
    plot.line_plot(lab.picture(picture), f"Double-clamped beam, steps of {label}", "time, s", "energy error, J/kg (largest of each 1/300)", lines, log_up=True)
    return {"runs": {scheme: done[name] for scheme, name in names.items()}, "errors": errors, "picture": f"pictures/{picture}", "ours": next(iter(done.values()))}


def beam_page(part, results):
    (label, schemes), errors = BEAM_PARTS[part], results["errors"]
    times = list(next(iter(errors.values())))
    title = "the other schemes" if schemes is OTHERS else "Löschner et al. 2020, figure 3"
    lines = [f"## Double-clamped beam, steps of {label} ({title})", "",
             f"Scene: `loschner-2020/beam`. The absolute error of the total energy of a beam that nothing damps, over {BEAM_SECONDS} s; the error is given per kg, as the "
             f"largest of the two seconds before the time in the head. At rest it is {AT_REST} J/kg: what has that error has stopped.", "",
             f"![energy error, steps of {label}]({results['picture']})", "",
             f"| | {' | '.join(f'{t} s' for t in times)} | converged | iterations a step |", "| --- " * (3 + len(times)) + "|"]
    for scheme, summary in results["runs"].items():
        at = errors[scheme]
        shown = " | ".join("blown up" if at[t] > BLOWN_UP else f"{at[t]:.2e}" for t in times)
        lines.append(f"| {schemes[scheme]} | {shown} | {summary['steps_converged']}/{summary['steps']} | "
                     f"{summary['iterations'] / summary['steps']:.2f} |")
    ranking = ", ".join(schemes[s] for s in sorted(errors, key=lambda s: errors[s][times[-1]]) if errors[s][times[-1]] < BLOWN_UP)
    if schemes is OTHERS:
        return lines + ["", f"From the smallest error at {times[-1]} s to the largest: {ranking}. A run that blows up is stopped where a stage takes more than 30 iterations.", ""]
    ratios = [errors["backward-euler"]["2"] / errors[s]["2"] for s in errors if s != "backward-euler"]
    return lines + ["", f"After 2 s the error of backward Euler is {min(ratios):.0f} to {max(ratios):.0f} times those of the others (the paper: nearly two orders of magnitude). From the "
                    f"smallest error at 200 s to the largest: {ranking}. {PAPER_RANKING[label]}", ""]


def run_orders(lab, part):
    lines, slopes = {}, {}
    names = {(scheme, step): f"beam-orders-{scheme}-{step}" for step in ORDER_STEPS for scheme in SCHEMES}
    done = side_by_side(lab, {name: [*beam_options(scheme, *ORDER_STEPS[step]), "--set", "duration=10", "--set", f"solver.tolerance={ORDER_TOLERANCE:g}"]
                              for (scheme, step), name in names.items()})
    for scheme, name in SCHEMES.items():
        points = []
        for step in ORDER_STEPS:
            errors = energy_errors(lab.steps(names[scheme, step]), done[names[scheme, step]]["start"]["total"])
            points.append((step, min(max(error for time, error in errors if time > 9), BLOWN_UP)))
        lines[name] = points
        fits = [math.log(high / low) / math.log(coarse / fine) for (coarse, high), (fine, low) in zip(points, points[1:]) if fine <= FINE]
        slopes[scheme] = fits
    first, last = max(ORDER_STEPS), min(ORDER_STEPS)
    for order, at in ((1, 1.0), (2, 1.0), (3, 1.0)):
        lines[f"slope {order}"] = [(first, at), (last, at * (last / first) ** order)]
    picture = "beam-orders.svg"
    plot.line_plot(lab.picture(picture), "Double-clamped beam, energy error of the last second of 10 s", "step, s", "energy error, J/kg", lines, True, True,
                   [name for name in lines if name.startswith("slope")])
    return {"ours": lab.summary(f"beam-orders-sdirk2-{last}"), "lines": lines, "slopes": slopes, "picture": f"pictures/{picture}"}


def orders_page(part, results):
    lines = ["## Double-clamped beam, orders (Löschner et al. 2020, figure 4)", "",
             f"The same beam for 10 s with steps from 1 s to 0.1 ms, stages solved to {ORDER_TOLERANCE:g} m/s: the largest error of the energy in the last second. Errors above {BLOWN_UP} J/kg, of "
             f"ROS3PL with the longest steps, are shown as {BLOWN_UP}.", "", f"![orders]({results['picture']})", "",
             "| scheme | classical order | slope in the paper | from 5 to 2 ms | 2 to 1 ms | 1 to 0.1 ms | error at 0.1 ms, J/kg |", "| --- | --- | --- | --- | --- | --- | --- |"]
    for scheme, name in SCHEMES.items():
        lines.append(f"| {name} | {ORDERS[scheme]} | {PAPER_SLOPES.get(scheme, PAPER_SLOPE)} | " + " | ".join(f"{slope:.2f}" for slope in results["slopes"][scheme]) + f" | {results['lines'][name][-1][1]:.1e} |")
    return lines + ["", f"Backward Euler has lost nearly all there is to lose ({AT_REST} J/kg) with steps of 1 ms and longer, so that its errors cannot follow its order yet. SDIRK2 and TR-BDF2(B) have the "
                    "smallest errors from 0.1 s to 0.01 s, as in the paper.", "", "The paper's curves level out towards short steps, which it puts down to the mesh. The energy of the discrete beam is "
                    "conserved exactly by the exact solution, whatever the mesh, and the curves fall on, down to errors of 1e-8 J/kg, where the tolerance of the stages begins to show: that of SDIRK(4,3,4,7), which solves most of them, falls least "
                    "between the last two steps, and with a tenth of the tolerance falls on (next section).", ""]


TOLERANCES = ("1e-10", "1e-11", "1e-12")  # of the stages, m/s
TOLERANCE_STEP, TOLERANCE_SCHEME = min(ORDER_STEPS), "sdirk-4347"


def run_tolerances(lab, part):
    names = {tolerance: f"beam-tolerance-{tolerance}" for tolerance in TOLERANCES}
    done = side_by_side(lab, {name: [*beam_options(TOLERANCE_SCHEME, *ORDER_STEPS[TOLERANCE_STEP]), "--set", "duration=2", "--set", f"solver.tolerance={tolerance}"]
                              for tolerance, name in names.items()})
    errors = {tolerance: max(error for time, error in energy_errors(lab.steps(name), done[name]["start"]["total"]) if time > 1.5) for tolerance, name in names.items()}
    return {"ours": done[names[TOLERANCES[0]]], "errors": errors}


def tolerances_page(part, results):
    lines = ["## Double-clamped beam, what the tolerance does", "", f"What keeps {SCHEMES[TOLERANCE_SCHEME]} from falling on with steps of {1000 * TOLERANCE_STEP:g} ms is the tolerance of its stages: the largest error of the energy between "
             "1.5 and 2 s, with one tolerance and another.", "", "| tolerance, m/s | error, J/kg |", "| --- | --- |"]
    return lines + [f"| {tolerance} | {error:.1e} |" for tolerance, error in results["errors"].items()] + [""]


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
                         "gap": min(float(step["smallest_gap"]) for step in steps), "seconds": ours["seconds"]["total"] / 10})
    plot.line_plot(lab.picture("ball-energy.svg"), "Bouncing ball, energy lost", "time, s", "energy lost, J/kg", lines)
    return {"ours": ours, "rows": rows, "picture": "pictures/ball-energy.svg",
            "montage": lab.montage("ball-sdirk2-5ms", "0,15,16,17,18,24,32,40", 4, "--width", "360", "--height", "360")}


def ball_page(part, results):
    lines = ["## Bouncing ball (Löschner et al. 2020, figure 8)", "",
             "Scene: `loschner-2020/ball`, contact as a quadratic program. The energy that the ball has lost, per kg; it starts with 34 J/kg above the floor.", "",
             f"![energy lost]({results['picture']})", "", "| scheme | step | converged | lost after 2 s, J/kg | after 10 s | most gained | deepest below the floor, mm | seconds per simulated s |",
             "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for row in results["rows"]:
        lines.append(f"| {SCHEMES[row['scheme']]} | {row['step']} | {row['converged']} | {row['lost_at_2']:.2f} | {row['lost']:.2f} | {max(0, -row['gained']):.2g} | "
                     f"{1000 * max(0, -row['gap']):.2g} | {row['seconds']:.2f} |")
    return lines + ["", "The paper shows the same order: each collision loses energy, less with SDIRK2 than with backward Euler and less with short steps, and backward Euler "
                    "also loses energy in flight. Frames of SDIRK2 at 5 ms:", "", f"![ball]({results['montage']})", ""]


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
TIMED = "0.2"
RATE = 25


def row_options(scheme, milliseconds):
    return ["--set", f"time.scheme={scheme}", "--set", f"time.steps_per_frame={round(1000 / RATE / milliseconds)}"]


# What is simulated, s, of a scheme that takes many times as long as the others.
BRIEF = {"sdirk-4347": "1"}


def time_rows(lab, scene):
    """The runs that are alone on the machine, by scheme and step."""
    timed = {}
    for scheme, step in rows_of(scene):
        name, options = run_name(scene, scheme, step), row_options(scheme, step)
        if scheme in BRIEF:
            options += ["--set", f"duration={BRIEF[scheme]}"]
        if step == SLOW:
            name, options = f"{name}-timed", [*options, "--set", f"duration={TIMED}"]
        timed[scheme, step] = lab.run(f"loschner-2020/{scene}", name, *options)
    return timed


def run_rows(lab, scene, *slow_options):
    """The runs of a scene's rows in the table, and what they took."""
    rows = []
    for (scheme, step), timed in time_rows(lab, scene).items():
        run, summary = run_name(scene, scheme, step), timed
        if step == SLOW:
            summary = lab.run(f"loschner-2020/{scene}", run, *row_options(scheme, step), "--threads", "1", *slow_options)
        rows.append({"scheme": scheme, "step": step, "run": run, "summary": summary, "seconds": timed["seconds"]["total"] / (timed["frames"] / RATE),
                     "iterations": summary["iterations"] / summary["steps"], "converged": f"{summary['steps_converged']}/{summary['steps']}"})
    return rows


def rows_of(scene):
    return [(scheme, step) for of, scheme, step, _, _ in TABLE if of == scene]


def table_row(scene, row, *more):
    seconds, iterations = next((paper[3:] for paper in TABLE if paper[:3] == (scene, row["scheme"], row["step"])), ("", ""))
    faster = f"{seconds / row['seconds']:.1f}" if seconds else ""
    return (f"| {label(row['scheme'], row['step'])} | {seconds} | {row['seconds']:.2f} | {faster} | {iterations} | {row['iterations']:.2f} | {row['converged']} | "
            + " | ".join(more) + " |")


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
        track = swing(lab, row["run"], RATE)
        row["amplitude"] = {str(t): max(abs(x) for time, x in track if t - 1 <= time <= t) for t in (2, 5, 10)}
        lines[label(row["scheme"], row["step"])] = envelope([(time, abs(x)) for time, x in track if time > 0.4], 40)
    plot.line_plot(lab.picture("jello-amplitude.svg"), "Wobbling jello", "time, s", "largest way of the top to the side, m", lines)
    return {"ours": rows[3]["summary"], "rows": rows, "picture": "pictures/jello-amplitude.svg",
            "montage": lab.montage(run_name("jello", "sdirk2", 5), "0,4,6,8,50,52,125,250", 4, "--width", "360", "--height", "300")}


def jello_page(part, results):
    rows = {(row["scheme"], row["step"]): row for row in results["rows"]}
    fine, ours = rows["backward-euler", 0.05], rows["sdirk2", 5]
    lines = ["## Wobbling jello (Löschner et al. 2020, figure 5)", "", f"Scene: `loschner-2020/jello`, {results['ours']['dofs']} degrees of freedom, 10 s. How far the top swings to the side:", "",
             f"![amplitude]({results['picture']})", "", *table_head("largest swing in the second before 2 s, mm", "5 s", "10 s")]
    lines += [table_row("jello", row, *(f"{1000 * row['amplitude'][t]:.1f}" for t in ("2", "5", "10"))) for row in results["rows"]]
    return lines + ["", f"Backward Euler needs steps of 0.05 ms to swing as SDIRK2 does with 5 ms, and takes {fine['seconds'] / ours['seconds']:.0f} times as long for them (the paper: 55). "
                    "Frames of SDIRK2:", "", f"![jello]({results['montage']})", ""]


CLOTH_SECONDS = "1"  # what is simulated of the slow run


def run_cloth(lab, part):
    rows, lines = run_rows(lab, "cloth-wind", "--set", f"duration={CLOTH_SECONDS}"), {}
    for row in rows:
        kinetic = [(float(s["time"]), float(s["kinetic"])) for s in lab.steps(row["run"])]
        row["kinetic"] = sum(k for t, k in kinetic if 0.5 <= t <= 1) / sum(1 for t, _ in kinetic if 0.5 <= t <= 1)
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
             *table_head("mean kinetic energy from 0.5 to 1 s, J")]
    lines += [table_row("cloth-wind", row, f"{row['kinetic']:.1f}") for row in results["rows"]]
    damped = results["damped"]
    lines += ["", f"SDIRK2 takes {ours['iterations'] / coarse['iterations']:.1f} times the iterations of backward Euler with the same steps (the paper: 2.7), and is "
              f"{fine['seconds'] / ours['seconds']:.0f} times as fast as backward Euler with steps of 0.05 ms (the paper: 15 by its table). With stiffness damping of 2e-4 s it takes "
              f"{damped['iterations'] / damped['steps']:.2f} iterations a step, {damped['steps_converged']}/{damped['steps']} converge. Frames at 0.4, 0.6, 0.8 and 1 s:", ""]
    for name, picture in results["montages"].items():
        lines += [f"{name}:", "", f"![{name}]({picture})", ""]
    return lines


def run_damped_cloth(lab, part):
    names = {row: f"{run_name('cloth-wind', *row)}-damped" for row in sorted(rows_of("cloth-wind"), key=lambda row: row[1])}  # the longest first
    done = side_by_side(lab, {name: [*row_options(*row), "--set", "body.0.damping.stiffness=2e-4", "--set", f"duration={CLOTH_SECONDS}"] for row, name in names.items()}, "cloth-wind")
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
EXTREME_SECONDS = {"0": 30, "1e-3": 4}  # what is simulated, by damping: without it energy may grow slowly


def grows(totals):
    """Whether the energy in the end is more than twice the least before."""
    return totals[-1][1] > 2 * min(total for _, total in totals)


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
    for scheme in ("sdirk2", "backward-euler"):
        row(f"{SCHEMES[scheme]}, root finding", f"extreme-{scheme}-residual", "--set", f"time.scheme={scheme}", "--set", "solver.method=newton-residual", "--set", "duration=0.02", "--set",
            "solver.max_iterations=50")
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


def extreme_page(part, results):
    ours = results["ours"]
    lines = ["## Extreme deformation (Löschner et al. 2020, figure 7)", "", f"Scene: `loschner-2020/extreme`, {ours['dofs']} degrees of freedom. Frames 0, 1, 2, 4, 8, 16, 50 and 100 of SDIRK2 with the "
             "stable Neo-Hookean material:", "", f"![extreme]({results['montage']})", "",
             "| | converged | iterations of the first step | a step | nothing inverted from, s | inverted at the end | energy at the start, J | most later | at the end | seconds per simulated s |",
             "|" + " --- |" * 10]
    for row in results["rows"]:
        recovered = "never" if row["recovered"] is None else f"{row['recovered']:.3f}"
        lines.append(f"| {row['name']} | {row['converged']} | {row['first']} | {row['iterations']:.1f} | {recovered} | {row['inverted']} | {row['start']:.3g} | {row['most']:.3g} | {row['end']:.3g} | {row['seconds']:.2f} |")
    unstable = [row["name"] for row in results["rows"] if "corotated" in row["name"] and row["grows"]]
    return lines + ["", "The paper could not recover strongly nonlinear materials with any scheme above first order by root finding. With corotated elasticity and rotations fixed at the start of the step, it "
                    "found only backward Euler stable for long without damping, and all with a damping of 1e-3 s. Here, in 30 s without damping and 4 s with it, the "
                    f"energy grows with {'; '.join(unstable) or 'none'} (the end more than twice the least before; a run that blows up is stopped, its last step unsolved), and falls or stays with the others:", "", f"![energy]({results['picture']})", ""]


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


def falls_through(lab, run, summary):
    """Which ducks go from above a trampoline to below it between two frames, within its sheet."""
    start, first = {}, 0
    for body in summary["bodies"]:
        start[body["name"]] = (first, first + body["vertices"])
        first += body["vertices"]
    sheets = [name for name in start if name.startswith("trampoline")]
    above, fallen = {}, set()
    for file in lab.frame_files(run):
        places = lab.places(file)
        for duck in (name for name in start if name.startswith("duck")):
            own = places[slice(*start[duck])]
            x, y, z = (sum(place[k] for place in own) / len(own) for k in range(3))
            for sheet in sheets:
                nearest = min(places[slice(*start[sheet])], key=lambda place: (place[0] - x) ** 2 + (place[2] - z) ** 2)
                inside = math.hypot(nearest[0] - x, nearest[2] - z) < 0.05
                now = y > nearest[1] if inside else None
                if above.get((duck, sheet)) and now is False:
                    fallen.add(duck)
                above[duck, sheet] = now
    return sorted(fallen)


def run_trampolines(lab, part):
    summary = lab.run("loschner-2020/trampolines", part)
    steps = lab.steps(part)
    return {"ours": summary, "fallen": falls_through(lab, part, summary), "overlap": max(float(step["overlap"]) for step in steps), "contacts": max(int(step["contacts"]) for step in steps),
            "share": sum(float(step["seconds_contact"]) for step in steps) / sum(float(step["seconds_step"]) for step in steps),
            "montage": lab.montage(part, "0,20,40,60,80,100,125,149", 4, "--width", "360", "--height", "480", "--camera", "3,-0.6,9", "--look-at", "0,-1.3,0")}


def trampolines_page(part, results):
    ours = results["ours"]
    return ["## Duck trampolines (Löschner et al. 2020, figure 1)", "", f"Scene: `loschner-2020/trampolines`, {ours['dofs']} degrees of freedom. Frames 0, 20, 40, 60, 80, 100, 125 and 149:", "",
            f"![trampolines]({results['montage']})", "", f"{ours['steps_converged']} of {ours['steps']} steps converge, with {ours['iterations'] / ours['steps']:.1f} iterations a step, "
            f"up to {results['contacts']} contacts, and a vertex at most {1000 * results['overlap']:.1f} mm inside of another body; {100 * results['share']:.0f}% of "
            f"{ours['seconds']['total'] / ours['frames'] * 25:.0f} seconds per simulated second go to contact. Ducks that fall through a trampoline: "
            f"{', '.join(results['fallen']) or 'none'}.", ""]


PARTS = {**{part: (run_beam, beam_page) for part in BEAM_PARTS}, "beam-orders": (run_orders, orders_page), "beam-tolerance": (run_tolerances, tolerances_page), "jello": (run_jello, jello_page), "cloth-wind": (run_cloth, cloth_page), "cloth-wind-damped": (run_damped_cloth, damped_cloth_page),
         "extreme": (run_extreme, extreme_page), "ball": (run_ball, ball_page), "suspended": (run_suspended, suspended_page),
         "trampolines": (run_trampolines, trampolines_page)}
