"""The beam of Loschner et al. 2020, as parts of reproduce.py, and what the other experiments of loschner.py have in common with it."""

import concurrent.futures
import math
import os

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
# Who errs least over 200 s in the paper.
PAPER_BEST = {"33 ms": {"sdirk2", "tr-bdf2-b"}, "5 ms": {"sdirk-3345", "sdirk-4347"}}
LENGTH = ("The paper gives no length of the beam. A ranking like its own with 33 ms needs a first frequency of 6 to 18 rad/s, which lengths of 1.3 to 0.5 m have; ours has 1.3 m, whose cells are cubes. "
          "Steps of 5 ms do not resolve all of its modes.")
FIRST_FREQUENCY = 6  # rad/s, of the longest of these beams
AT_REST = 0.688
BLOWN_UP = 10  # J/kg, where plots end
BEAM_STEPS = {"33 ms": ("30.303030303030305", "1"), "5 ms": ("10", "20")}  # frames a second, steps a frame
# Steps of the study of orders, s, with the frames a second and steps a frame that make them.
ORDER_STEPS = {1.0: (1, 1), 0.5: (2, 1), 0.2: (5, 1), 0.1: (10, 1), 0.05: (10, 2), 0.02: (10, 5), 0.01: (10, 10), 0.005: (10, 20), 0.002: (10, 50), 0.001: (10, 100),
               0.0001: (10, 1000)}
FINE = 0.002  # s; between steps up to this slopes are given
ORDER_TOLERANCE = 1e-11  # of the stages in that scene, m/s
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
    # Of those that damp nothing, some blow up; once they have, a step takes hundreds of iterations.
    stop = ["--set", "solver.max_iterations=100", "--set", "solver.on_failure=stop"] if schemes is OTHERS else []
    done = side_by_side(lab, {name: [*beam_options(scheme, *BEAM_STEPS[label]), "--set", f"duration={BEAM_SECONDS}", *stop] for scheme, name in names.items()})
    lines, errors, solved = {}, {}, {}
    for scheme, name in names.items():
        steps = lab.steps(name)
        points = energy_errors(steps, done[name]["start"]["total"])
        sane = next((i for i, (_, error) in enumerate(points) if error > BLOWN_UP), len(points))
        solved[scheme] = f"{sum(step['status'].startswith('converged') for step in steps[:sane])}/{sane}"
        lines[schemes[scheme]] = [(time, min(error, BLOWN_UP)) for time, error in envelope(points)]
        errors[scheme] = {str(t): max((error for time, error in points if t - 2 <= time <= t), default=math.inf) for t in (2, 20, BEAM_SECONDS)}
    picture = f"{part if schemes is OTHERS else 'beam'}-energy-{label.replace(' ', '')}.svg"
    plot.line_plot(lab.picture(picture), f"Double-clamped beam, steps of {label}", "time, s", "energy error, J/kg (largest of each 1/300)", lines, log_up=True)
    return {"runs": {scheme: done[name] for scheme, name in names.items()}, "errors": errors, "solved": solved, "picture": f"pictures/{picture}", "ours": next(iter(done.values()))}


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
        lines.append(f"| {schemes[scheme]} | {shown} | {results['solved'][scheme]} | "
                     f"{summary['iterations'] / summary['steps']:.2f} |")
    ranking = ", ".join(schemes[s] for s in sorted(errors, key=lambda s: errors[s][times[-1]]) if errors[s][times[-1]] < BLOWN_UP)
    if schemes is OTHERS:
        return lines + ["", f"From the smallest error at {times[-1]} s to the largest: {ranking}. A run has blown up where its error is above {BLOWN_UP} J/kg: only steps before are counted as converged or not, and it is stopped where a "
                        "stage takes more than 100 iterations.", ""]
    ratios = [errors["backward-euler"]["2"] / errors[s]["2"] for s in errors if s != "backward-euler"]
    best, of_paper = set(sorted(errors, key=lambda s: errors[s][times[-1]])[:2]), PAPER_BEST[label]
    rate, per_frame = BEAM_STEPS[label]
    length = 1 / (float(rate) * int(per_frame))
    short = ("" if min(ratios) >= 10 or errors["backward-euler"]["2"] < 0.95 * AT_REST else
             f" Backward Euler has lost all there is to lose by then, so that the ratio says what the others have lost: steps of {label} are {FIRST_FREQUENCY * length:.2g} rad of the first mode even at the lowest frequency below, and more of the others.")
    like = "as here" if best == of_paper else f"here {' and '.join(schemes[s] for s in schemes if s in best)} have"
    return lines + ["", f"After 2 s the error of backward Euler is {min(ratios):.0f} to {max(ratios):.0f} times those of the others, at least ten times those of {sum(ratio >= 10 for ratio in ratios)} of {len(ratios)} "
                    f"(the paper: nearly two orders of magnitude).{short} From the smallest error at 200 s to the largest: {ranking}. In the paper {' and '.join(schemes[s] for s in schemes if s in of_paper)} have the smallest "
                    f"error over long times, {like}. {LENGTH}", ""]


def run_orders(lab, part):
    lines, slopes = {}, {}
    names = {(scheme, step): f"beam-orders-{scheme}-{step}" for step in ORDER_STEPS for scheme in SCHEMES}
    done = side_by_side(lab, {name: beam_options(scheme, *ORDER_STEPS[step]) for (scheme, step), name in names.items()}, "beam-orders")
    for scheme, name in SCHEMES.items():
        points = []
        for step in ORDER_STEPS:
            errors = energy_errors(lab.steps(names[scheme, step]), done[names[scheme, step]]["start"]["total"])
            points.append((step, min(max(error for time, error in errors if time > 9), BLOWN_UP)))
        lines[name] = points
        fits = [math.log(high / low) / math.log(coarse / fine) for (coarse, high), (fine, low) in zip(points, points[1:]) if fine <= FINE]
        slopes[scheme] = fits
    first, last = max(ORDER_STEPS), min(ORDER_STEPS)
    converged = {scheme: counted([done[names[scheme, step]] for step in ORDER_STEPS]) for scheme in SCHEMES}
    for order, at in ((1, 1.0), (2, 1.0), (3, 1.0)):
        lines[f"slope {order}"] = [(first, at), (last, at * (last / first) ** order)]
    picture = "beam-orders.svg"
    plot.line_plot(lab.picture(picture), "Double-clamped beam, energy error of the last second of 10 s", "step, s", "energy error, J/kg", lines, True, True,
                   [name for name in lines if name.startswith("slope")])
    return {"ours": lab.summary(f"beam-orders-sdirk2-{last}"), "lines": lines, "slopes": slopes, "converged": converged, "picture": f"pictures/{picture}"}


def counted(summaries):
    """How many steps of some runs converged."""
    return f"{sum(summary['steps_converged'] for summary in summaries)}/{sum(summary['steps'] for summary in summaries)}"


def orders_page(part, results):
    lines = ["## Double-clamped beam, orders (Löschner et al. 2020, figure 4)", "",
             f"Scene: `loschner-2020/beam-orders`. The same beam for 10 s with steps from 1 s to 0.1 ms, stages solved to {ORDER_TOLERANCE:g} m/s: the largest error of the energy in the last second. Errors above {BLOWN_UP} J/kg, of "
             f"ROS3PL with the longest steps, are shown as {BLOWN_UP}.", "", f"![orders]({results['picture']})", "",
             "| scheme | classical order | slope in the paper | from 5 to 2 ms | 2 to 1 ms | 1 to 0.1 ms | error at 0.1 ms, J/kg | converged |", "|" + " --- |" * 8]
    for scheme, name in SCHEMES.items():
        lines.append(f"| {name} | {ORDERS[scheme]} | {PAPER_SLOPES.get(scheme, PAPER_SLOPE)} | " + " | ".join(f"{slope:.2f}" for slope in results["slopes"][scheme]) + f" | {results['lines'][name][-1][1]:.1e} | {results['converged'][scheme]} |")
    lost = {step: error / AT_REST for step, error in results["lines"][SCHEMES["backward-euler"]]}
    last = {scheme: slopes[-1] for scheme, slopes in results["slopes"].items() if scheme != "backward-euler"}
    return lines + ["", f"Backward Euler has lost {100 * lost[0.005]:.0f}% of all there is to lose ({AT_REST} J/kg) with steps of 5 ms, {100 * lost[0.001]:.0f}% with 1 ms and {100 * lost[0.0001]:.0f}% with 0.1 ms, "
                    f"so that its errors do not follow its order yet. The smallest error: {', '.join(best_by_step(results['lines']))}. In the paper SDIRK2 and TR-BDF2(B) have it from 0.1 s to 0.01 s.", "",
                    "SDIRK-NC34 and SDIRK(3,3,4,5) damp and shift linear motion alike (they have one stability function), so that one curve hides the other. The paper's curves level out towards short steps, which it puts down to the "
                    "mesh. The energy of the discrete beam is conserved exactly by the exact solution, whatever the mesh: here, between 1 and 0.1 ms, the errors of all but backward Euler fall with the step to the power of "
                    f"{min(last.values()):.1f} to {max(last.values()):.1f}. In how far the tolerance of the stages shows there is looked at in the next section.", ""]


def best_by_step(lines):
    """Which scheme errs least over which steps, in words; of steps with which all have come to rest none."""
    curves = {name: points for name, points in lines.items() if not name.startswith("slope")}
    runs = []
    for i, step in enumerate(ORDER_STEPS):
        best = min(curves, key=lambda name: curves[name][i][1])
        if curves[best][i][1] > 0.95 * AT_REST:
            continue
        if runs and runs[-1][0] == best:
            runs[-1][2] = step
        else:
            runs.append([best, step, step])
    return [f"{name} with {1000 * high:g} ms" if high == low else f"{name} from {1000 * high:g} to {1000 * low:g} ms" for name, high, low in runs]


TOLERANCES = (f"{ORDER_TOLERANCE:g}", "1e-12")  # of the stages, m/s
TOLERANCE_STEPS = (0.001, 0.0001)  # s
TOLERANCE_SCHEMES = ("tr-bdf2-b", "sdirk-nc34", "sdirk-3345", "sdirk-4347")  # whose errors are the smallest


def run_tolerances(lab, part):
    names = {(scheme, step, tolerance): f"beam-tolerance-{scheme}-{step}-{tolerance}" for scheme in TOLERANCE_SCHEMES for step in TOLERANCE_STEPS for tolerance in TOLERANCES}
    done = side_by_side(lab, {name: [*beam_options(scheme, *ORDER_STEPS[step]), "--set", "duration=2", "--set", f"solver.tolerance={tolerance}"]
                              for (scheme, step, tolerance), name in names.items()}, "beam-orders")
    rows = {scheme: {tolerance: [max(error for time, error in energy_errors(lab.steps(name), done[name]["start"]["total"]) if time > 1.5)
                                 for name in (names[scheme, step, tolerance] for step in TOLERANCE_STEPS)] for tolerance in TOLERANCES} for scheme in TOLERANCE_SCHEMES}
    return {"ours": next(iter(done.values())), "rows": rows,
            "converged": {scheme: counted([done[name] for key, name in names.items() if key[0] == scheme]) for scheme in TOLERANCE_SCHEMES}}


def tolerances_page(part, results):
    def slope(errors):
        return math.log(errors[0] / errors[1]) / math.log(TOLERANCE_STEPS[0] / TOLERANCE_STEPS[1])

    loose, tight = TOLERANCES
    lines = ["## Double-clamped beam, what the tolerance does", "", f"The schemes whose errors are the smallest, with stages solved to {loose} and to {tight} m/s: the largest error of the energy between 1.5 and 2 s, J/kg.", "",
             f"| scheme | error at 1 ms | at 0.1 ms, {loose} | at 0.1 ms, {tight} | slope from 1 to 0.1 ms, {loose} | {tight} | converged |", "|" + " --- |" * 7]
    for scheme, of in results["rows"].items():
        lines.append(f"| {SCHEMES[scheme]} | {of[tight][0]:.1e} | {of[loose][1]:.1e} | {of[tight][1]:.1e} | {slope(of[loose]):.2f} | {slope(of[tight]):.2f} | {results['converged'][scheme]} |")
    steeper = [SCHEMES[scheme] for scheme, of in results["rows"].items() if slope(of[tight]) > slope(of[loose]) + 0.1]
    shows = (f"With the smaller tolerance the error falls more steeply with {', '.join(steeper)}: there the tolerance shows in the curves of the last section. What is left of it adds up over steps and stages." if steeper
             else "With the smaller tolerance no slope is steeper by more than 0.1.")
    return lines + ["", shows, ""]


PARTS = {**{part: (run_beam, beam_page) for part in BEAM_PARTS}, "beam-orders": (run_orders, orders_page), "beam-tolerance": (run_tolerances, tolerances_page)}
