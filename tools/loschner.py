"""The experiments of Loschner et al. 2020, as parts of reproduce.py."""

import math

import plot

# As the paper calls them, in the order of its figure 3.
SCHEMES = {"backward-euler": "BE", "sdirk2": "SDIRK2", "sdirk3": "SDIRK3", "tr-bdf2-b": "TR-BDF2(B)", "sdirk-ncs23": "SDIRK-NCS23",
           "sdirk-nc34": "SDIRK-NC34", "sdirk-3345": "SDIRK(3,3,4,5)", "sdirk-4347": "SDIRK(4,3,4,7)", "ros3pl": "ROS3PL"}
ORDERS = {"backward-euler": 1, "sdirk2": 2, "sdirk3": 3, "tr-bdf2-b": 2, "sdirk-ncs23": 3, "sdirk-nc34": 4, "sdirk-3345": 3, "sdirk-4347": 3, "ros3pl": 3}
BEAM_MASS = 8.0  # kg
BEAM_STEPS = {"33 ms": ("30.303030303030305", "1"), "5 ms": ("10", "20")}  # frames a second, steps a frame
# Steps of the study of orders, s, with the frames a second and steps a frame that make them.
ORDER_STEPS = {0.5: (2, 1), 0.2: (5, 1), 0.1: (10, 1), 0.05: (10, 2), 0.02: (10, 5), 0.01: (10, 10), 0.005: (10, 20), 0.002: (10, 50), 0.001: (10, 100)}


def energy_errors(steps, start):
    """|total energy - that of the start| by time, J/kg."""
    return [(float(step["time"]), abs(float(step["total"]) - start) / BEAM_MASS) for step in steps]


def envelope(points, count=300):
    """The largest of each of `count` stretches of time."""
    length = max(1, len(points) // count)
    return [max(points[i:i + length], key=lambda point: point[1]) for i in range(0, len(points), length)]


def run_beam(lab, part):
    results = {"runs": {}, "errors": {}, "pictures": {}}
    for label, (rate, per_frame) in BEAM_STEPS.items():
        lines, summaries = {}, {}
        for scheme, name in SCHEMES.items():
            run = f"beam-{scheme}-{label.replace(' ', '')}"
            summary = lab.run("loschner-2020/beam", run, "--set", f"time.scheme={scheme}", "--set", f"frame_rate={rate}", "--set",
                              f"time.steps_per_frame={per_frame}")
            points = energy_errors(lab.steps(run), summary["start"]["total"])
            lines[name] = envelope(points)
            summaries[scheme] = {key: summary[key] for key in ("steps", "steps_converged", "iterations", "linear_solves", "seconds", "dofs", "elements",
                                                               "threads", "cpu", "flags", "scene", "tolerance")}
            results["errors"].setdefault(label, {})[scheme] = {str(t): max(error for time, error in points if t - 10 <= time <= t) for t in (20, 100, 200)}
        picture = f"beam-energy-{label.replace(' ', '')}.svg"
        plot.line_plot(lab.picture(picture), f"Double-clamped beam, steps of {label}", "time, s", "energy error, J/kg (largest of each 1/300)", lines, log_up=True)
        results["runs"][label], results["pictures"][label] = summaries, f"pictures/{picture}"
    results["ours"] = next(iter(results["runs"]["33 ms"].values()))
    return results


def beam_page(part, results):
    lines = ["## Double-clamped beam (Löschner et al. 2020, figure 3)", "",
             "Scene: `loschner-2020/beam`. The absolute error of the total energy of a beam that nothing damps, over 200 s; the error is given per kg, as the "
             "largest of the ten seconds before the time in the head.", ""]
    for label, schemes in results["runs"].items():
        lines += [f"![energy error, steps of {label}]({results['pictures'][label]})", "",
                  f"| steps of {label} | 20 s | 100 s | 200 s | converged | iterations a step | seconds per simulated s |", "| --- | --- | --- | --- | --- | --- | --- |"]
        errors = results["errors"][label]
        for scheme, summary in schemes.items():
            at = errors[scheme]
            lines.append(f"| {SCHEMES[scheme]} | {at['20']:.2e} | {at['100']:.2e} | {at['200']:.2e} | {summary['steps_converged']}/{summary['steps']} | "
                         f"{summary['iterations'] / summary['steps']:.2f} | {summary['seconds']['total'] / 200:.2f} |")
        others = [errors[s]["20"] for s in errors if s != "backward-euler"]
        ratio = errors["backward-euler"]["20"] / max(others)
        ranking = sorted((s for s in errors), key=lambda s: errors[s]["200"])
        lines += ["", f"After 20 s the error of backward Euler is {ratio:.0f} times the largest of the others (the paper: nearly two orders of magnitude). From the smallest "
                  f"error at 200 s to the largest: {', '.join(SCHEMES[s] for s in ranking)}.", ""]
    return lines


def run_orders(lab, part):
    lines, slopes, plateau = {}, {}, {}
    for scheme, name in SCHEMES.items():
        points = []
        for step, (rate, per_frame) in ORDER_STEPS.items():
            run = f"beam-orders-{scheme}-{step}"
            summary = lab.run("loschner-2020/beam", run, "--set", f"time.scheme={scheme}", "--set", "duration=10", "--set", f"frame_rate={rate}", "--set",
                              f"time.steps_per_frame={per_frame}", "--set", "solver.tolerance=1e-11")
            errors = energy_errors(lab.steps(run), summary["start"]["total"])
            points.append((step, max(error for time, error in errors if time > 9)))
        lines[name] = points
        (coarse, high), (fine, low) = points[-2], points[-1]
        slopes[scheme] = math.log(high / low) / math.log(coarse / fine)
    first, last = max(ORDER_STEPS), min(ORDER_STEPS)
    for order, at in ((1, 1.0), (2, 1.0), (3, 1.0)):
        lines[f"slope {order}"] = [(first, at), (last, at * (last / first) ** order)]
    picture = "beam-orders.svg"
    plot.line_plot(lab.picture(picture), "Double-clamped beam, energy error of the last second of 10 s", "step, s", "energy error, J/kg", lines, True, True,
                   [name for name in lines if name.startswith("slope")])
    return {"ours": lab.summary(f"beam-orders-sdirk2-{last}"), "lines": lines, "slopes": slopes, "picture": f"pictures/{picture}"}


def orders_page(part, results):
    lines = ["## Double-clamped beam, orders (Löschner et al. 2020, figure 4)", "",
             "The same beam for 10 s with steps from 0.5 s to 1 ms: the largest error of the energy in the last second.", "", f"![orders]({results['picture']})", "",
             "| scheme | classical order | slope between 2 and 1 ms | error at 1 ms, J/kg |", "| --- | --- | --- | --- |"]
    for scheme, name in SCHEMES.items():
        lines.append(f"| {name} | {ORDERS[scheme]} | {results['slopes'][scheme]:.2f} | {results['lines'][name][-1][1]:.1e} |")
    return lines + ["", "The paper's curves level out towards short steps, which it puts down to the mesh. The energy of the discrete beam is conserved exactly by the exact "
                    "solution, whatever the mesh; what is left is the solver's tolerance.", ""]


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


PARTS = {"ball": (run_ball, ball_page), "beam": (run_beam, beam_page), "beam-orders": (run_orders, orders_page)}
