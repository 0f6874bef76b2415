#!/usr/bin/env python3
"""Runs the experiments of the papers at full size and writes docs/reproduction.md: the paper's figures beside ours.

A part is an experiment; its results lie as JSON beside its runs, and the page is written from all results there are. Without --only, the
parts that have no results of this program yet are run. A run that was stopped goes on where it was.
"""

import argparse
import array
import concurrent.futures
import csv
import hashlib
import json
import math
import os
import pathlib
import re
import subprocess
import sys

import liu
import loschner

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs/pictures"
PLAIN_LIMIT = 20  # iterations a step; the paper's plain Newton took 15 solves a step where it failed
PLAIN_STEPS = range(1, 9)
BASIN_STEPS = ["1/4080", "1/960", "1/480", "1/240", "1/24", "1"]
BASIN_PIXELS = 96

# What the paper's figure 11 says of the optimisation integrator (solves a step, seconds a frame) and of plain Newton: (solves a step,
# seconds a frame) at some numbers of steps a frame; it fails at the first of them and works from the last.
PULLS = {
    "stretch": {"figure": "3", "solves": 2.8, "seconds": 0.51, "plain": {1: (15, 8.7), 3: (0.7, 1.1)}, "frames": "0,10,36,72",
                "inverted": "The inverted elements lie at the clamped edges of a body pulled to seven times its length; all solvers that converge agree on "
                            "them."},
    "stretch-pulse": {"figure": "4", "solves": 2.9, "seconds": 0.52, "plain": {1: (6.6, 3.8), 5: (0.6, 1.3)},
                      "frames": "0,48,49,50,52,72"},
    "two-spheres": {"figure": "7", "solves": 8.1, "seconds": 4.25, "plain": {1: (26, 33), 6: (0.8, 7.3)}, "frames": "0,3,6,9,18,48",
                    "plain_duration": 0.25, "plain_frames": "0,1,2,3,4,6"},
}

# The other collisions of figure 11: solves a step, seconds a frame at some numbers of steps a frame, the first of which is the scene's.
# The paper gives neither for the penalty.
COLLISIONS = {
    "torus-drop": {"figure": "6", "solves": 2.1, "seconds": {5: 1.13}, "frames": "0,6,10,14,20,60"},
    "sphere-drop": {"figure": "10, top", "solves": 3.8, "seconds": {1: 0.42}, "frames": "0,1,2,3,4,8"},
    "sphere-drop-penalty": {"figure": "10", "seconds": {1: None}, "frames": "0,1,2,3,4,8",
                            "note": "The paper shows no picture and no times of it, and finds it very similar to the constraint and about as fast."},
    "sphere-drop-post-process": {"figure": "10, bottom", "solves": 9.8, "seconds": {1: 1.13}, "frames": "0,1,2,3,4,8"},
    "torus-hole": {"figure": "12", "solves": 8.6, "seconds": {1: 0.45}, "frames": "0,24,48,52,56,96"},
    "squeeze": {"figure": "13", "solves": 34.7, "seconds": {1: 46, 2: 58, 4: 88, 8: 117}, "frames": "0,24,36,60,84,120"},
    "box-stack": {"figure": "14", "solves": 6.9, "seconds": {1: 17.1}, "frames": "0,6,12,18,30,48"},
    "tori-bowl": {"figure": "1", "solves": 2.2, "seconds": {5: 200}, "frames": "0,12,24,36,60,96",
                  "options": ["--hide-obstacle", "ground", "--camera", "0,22,12", "--look-at", "0,3,0"]},
}

# Figures 8, 9 and 11: frames until no element is inverted, solves a step, seconds a frame.
TANGLES = {
    "random-low": {"figure": "8, top", "recovery": 100, "solves": 12.3, "seconds": 68.0},
    "random-medium": {"figure": "8, bottom left", "recovery": 40, "solves": 236.8, "seconds": 1470},
    "random-high": {"figure": "8, bottom right", "recovery": 1, "solves": 109.6, "seconds": 667,
                    "note": "The cube comes back turned: a random start has no memory of an orientation, and in one step of so stiff a body inertia "
                            "hardly prefers one."},
    "point-low": {"figure": "9, top", "recovery": 120, "solves": 10.7, "seconds": 43.1},
    "point-medium": {"figure": "9, bottom left", "recovery": 5, "solves": 155.9, "seconds": 831},
    "point-high": {"figure": "9, bottom right", "recovery": 1, "solves": 88.8, "seconds": 444},
}


class Lab:
    """The program, the folder of its runs, and what is read from them."""

    def __init__(self, program, out):
        self.program = program.resolve()
        self.out = out.resolve()
        self.build = hashlib.sha256(self.program.read_bytes()).hexdigest()

    def run(self, scene, name, *options):
        """Runs a scene and returns its summary. Goes on with a run that was stopped; starts over where that was another build's."""
        folder = self.out / name
        command = [self.program, "run", scene if "/" in scene else f"gast-2015/{scene}", "-o", folder, "--quiet", *options]
        print("+", *map(str, command), flush=True)
        done = subprocess.run(command + ["--resume"], capture_output=True, text=True)
        if done.returncode == 2 and folder.exists():
            done = subprocess.run(command + ["--overwrite"], capture_output=True, text=True)
        if done.returncode not in (0, 3):
            sys.exit(f"{name} ended with exit code {done.returncode}: {done.stderr}")
        return self.summary(name)

    def frame_files(self, name):
        return sorted((self.out / name / "frames").glob("*.npy"))

    @staticmethod
    def places(file):
        """Of all vertices in a frame."""
        data = file.read_bytes()
        numbers = array.array("f", data[10 + int.from_bytes(data[8:10], "little"):])
        return list(zip(numbers[0::3], numbers[1::3], numbers[2::3]))

    def last_frame(self, name):
        return self.places(self.frame_files(name)[-1])

    def steps(self, name):
        with open(self.out / name / "steps.csv", newline="") as file:
            return list(csv.DictReader(file))

    def montage(self, name, frames, columns, *options):
        """A picture of some frames of a run, for the page."""
        folder = self.out / f"{name}-pictures"
        subprocess.run([self.program, "render", self.out / name, "-o", folder, "--montage", "--frames", frames, "--columns",
                        str(columns), *options], check=True)
        return self.keep(folder / "montage.png", name)

    def picture(self, name):
        """Where a picture of the page goes."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        return PICTURES / name

    def summary(self, name):
        return json.loads((self.out / name / "summary.json").read_text())

    def keep(self, picture, name):
        self.picture(f"{name}.png").write_bytes(picture.read_bytes())
        return f"pictures/{name}.png"

    def results_file(self, part):
        return self.out / "results" / f"{part}.json"

    def results(self, part):
        file = self.results_file(part)
        return json.loads(file.read_text()) if file.exists() else None

    def save(self, part, results):
        file = self.results_file(part)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.with_suffix(".part").write_text(json.dumps({"build": self.build, **results}, indent=1))
        file.with_suffix(".part").rename(file)


def share(summary):
    return f"{summary['steps_converged']}/{summary['steps']} ({100 * summary['steps_converged'] / summary['steps']:.0f}%)"


def compared(ours, paper, digits=2):
    return f"{paper:g} | {ours:.{digits}f} | {ours / paper:.2f}"


def solves_a_step(summary):
    return summary["linear_solves"] / summary["steps"]


def seconds_a_frame(summary):
    return summary["seconds"]["total"] / summary["frames"]


def contact_facts(steps):
    """What steps.csv says of inversion and of contacts, over all steps."""
    gaps = [float(step["smallest_gap"]) for step in steps if step["smallest_gap"]]
    return {"inverted": max(int(step["inverted"]) for step in steps), "last_inverted": int(steps[-1]["inverted"]), "gap": min(gaps, default=None),
            "overlap": max(float(step["overlap"]) for step in steps), "last_overlap": float(steps[-1]["overlap"]),
            "share": sum(float(step["seconds_contact"]) for step in steps) / sum(float(step["seconds_step"]) for step in steps),
            "late_overlap": max(float(step["overlap"]) for step in steps[len(steps) * 4 // 5:]),
            **{energy: float(steps[-1][energy]) / max(float(step[energy]) for step in steps) for energy in ("kinetic", "elastic")}}


# Figure 2


def run_basin(lab, part):
    folder = lab.out / part
    command = [lab.program, "basin", "gast-2015/basin", "-o", folder, "--across", "body.0.start.move.0.to.0=0:1", "--up",
               "body.0.start.move.0.to.1=0:1", "--steps", ",".join(BASIN_STEPS), "--pixels", str(BASIN_PIXELS)]
    print("+", *map(str, command), flush=True)
    subprocess.run(command, check=True)
    return {"basin": json.loads((folder / "basin.json").read_text()),
            "map": lab.keep(folder / "basin.png", "basin"), "starts": lab.keep(folder / "starts.png", "basin-starts")}


def basin_page(part, results):
    maps = results["basin"]["maps"]
    plain = [m for m in maps if m["method"] == "newton-plain"]
    ours = [m for m in maps if m["method"] == "newton-cg"]
    pixels = results["basin"]["pixels"]
    missed = sum(pixels * pixels - m["converged"] for m in ours)
    lines = ["## Basin (figure 2)", "",
             "Scene: `gast-2015/basin`, a square of 36 degrees of freedom one of whose vertices starts at the place of the pixel. One step "
             f"from each of {pixels} x {pixels} starts; the scene file says what the paper leaves open and how to draw the maps. Some of the "
             "starts, inverted triangles in red:", "", f"![starts]({results['starts']})", "",
             f"Plain Newton above, the optimisation below, steps of {', '.join(BASIN_STEPS)} s. Black: no iteration; blue: 15; cyan: 30 and "
             "more; red: not converged in 500.", "", f"![maps]({results['map']})", "",
             "| step, s | plain Newton converges | its iterations, mean | optimisation converges | its iterations, mean | most |",
             "| --- | --- | --- | --- | --- | --- |"]
    for step, p, o in zip(BASIN_STEPS, plain, ours):
        lines.append(f"| {step} | {100 * p['share']:.1f}% | {p['mean_iterations']:.1f} | {100 * o['share']:.1f}% | "
                     f"{o['mean_iterations']:.1f} | {o['most_iterations']} |")
    claim = "converges from every start at every step" if missed == 0 else f"fails from {missed} starts in all"
    return lines + ["", f"The paper's claim: the optimisation converges everywhere. Here it {claim}.", ""]


# Figures 3 and 4


def run_plain(lab, scene, steps, *options):
    if "plain_duration" in PULLS[scene]:
        options += ("--set", f"duration={PULLS[scene]['plain_duration']}")
    return lab.run(scene, f"{scene}-plain-{steps}", *options, "--set", "solver.method=newton-plain", "--set",
                   f"solver.max_iterations={PLAIN_LIMIT}", "--set", f"time.steps_per_frame={steps}")


def run_pull(lab, part):
    facts = PULLS[part]
    ours = lab.run(part, part)
    # Runs whose times the paper gives are alone on the machine; the others run side by side, a thread each, which changes no result.
    plain = {steps: run_plain(lab, part, steps) for steps in facts["plain"]}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        others = {steps: pool.submit(run_plain, lab, part, steps, "--threads", "1") for steps in PLAIN_STEPS if steps not in plain}
        plain.update({steps: future.result() for steps, future in others.items()})
    size = ["--width", "640", "--height", "360"]
    return {"ours": ours, "measured": contact_facts(lab.steps(part)), "plain": plain, "picture": lab.montage(part, facts["frames"], 2, *size),
            "plain_picture": lab.montage(f"{part}-plain-1", facts.get("plain_frames", facts["frames"]), 2, *size)}


def plain_rows(facts, plain):
    for steps in PLAIN_STEPS:
        summary = plain[str(steps)]
        solves, seconds = facts["plain"].get(steps, ("", ""))
        timed = f"{seconds} | {seconds_a_frame(summary):.2f}" if seconds else " | "
        yield (f"| {steps} | {share(summary)} | {solves} | {solves_a_step(summary):.1f} | "
               f"{summary['cg_iterations'] / summary['linear_solves']:.0f} | {timed} | {summary['final']['inverted_elements']} |")


def overlap_rows(measured):
    if measured and measured["overlap"] > 0:
        yield f"| most inverted elements | | {measured['inverted']} | |"
        yield f"| largest overlap of bodies, mm | | {1000 * measured['overlap']:.2g} | |"
        yield f"| of the time on contact | | {100 * measured['share']:.0f}% | |"


def pull_page(part, results):
    facts, ours = PULLS[part], results["ours"]
    plain = {str(steps): summary for steps, summary in results["plain"].items()}
    failing = [steps for steps in PLAIN_STEPS if plain[str(steps)]["steps_converged"] < plain[str(steps)]["steps"]]
    works = max(failing, default=0) + 1
    works_from = f"works from {works}" if works in PLAIN_STEPS else "works at none that was tried"
    return [
        f"## {ours['scene']} (figure {facts['figure']})", "",
        f"Scene: `gast-2015/{part}`, {ours['dofs']} degrees of freedom, {ours['elements']} elements, one step per 24 Hz frame, "
        f"tolerance {ours['tolerance']} m/s. What the paper leaves open is fixed in the scene file, with the reasons. Frames "
        f"{facts['frames'].replace(',', ', ')}:", "",
        f"![{ours['scene']}]({results['picture']})", "",
        "| | paper | ours | ratio |", "| --- | --- | --- | --- |",
        f"| steps converged | all | {share(ours)} | |",
        f"| linear solves a step | {compared(solves_a_step(ours), facts['solves'], 1)} |",
        f"| seconds a frame | {compared(seconds_a_frame(ours), facts['seconds'], 3)} |",
        f"| inverted elements at the end | | {ours['final']['inverted_elements']} | |", *overlap_rows(results.get("measured")), "",
        *([facts["inverted"], ""] if "inverted" in facts and ours["final"]["inverted_elements"] else []),
        f"Plain Newton (`--set solver.method=newton-plain --set solver.max_iterations={PLAIN_LIMIT}`), share of steps that converge "
        f"within {PLAIN_LIMIT} iterations" + (f", in the first {facts['plain_duration']} s, in which everything collides:" if "plain_duration" in
                                              facts else ":"), "",
        "| steps a frame | converged | solves a step, paper | ours | iterations a solve | seconds a frame, paper | ours | inverted elements at "
        "the end |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |", *plain_rows(facts, plain), "",
        f"Here some step fails at {', '.join(map(str, failing)) or 'none'}, and it {works_from}; in the paper it fails at 1 "
        f"and works from {max(facts['plain'])}. Linear systems are solved to a relative 1e-6 in at most 300 iterations: where the table "
        "shows close to 300, most solves were cut off, and exact ones might end otherwise. Without safeguards a failed step is luck: the run "
        "may find back, or stay tangled to the end.", "",
        f"Plain Newton at 1 step a frame, frames {facts.get('plain_frames', facts['frames']).replace(',', ', ')}:", "", f"![plain Newton]({results['plain_picture']})", ""]


# Figures 8 and 9


def recovery(steps):
    """Frames until no element is inverted any more, with the linear solves and seconds they took; None if some are to the end."""
    tangled = [i + 1 for i, step in enumerate(steps) if int(step["inverted"]) > 0]
    frames = max(tangled, default=0) + 1
    if frames > len(steps):
        return None
    return {"frames": frames, "solves": sum(int(step["linear_solves"]) for step in steps[:frames]),
            "seconds": sum(float(step["seconds_step"]) for step in steps[:frames])}


def run_tangle(lab, part):
    ours = lab.run(part, part)
    recovered = recovery(lab.steps(part))
    last = recovered["frames"] if recovered else ours["frames"]
    shown = sorted({0, 1, last // 8, last // 4, last // 2, last})
    picture = lab.montage(part, ",".join(map(str, shown)), 3, "--color", "inverted", "--width", "400", "--height", "300", "--samples", "8")
    first_step = float(lab.steps(part)[0]["seconds_step"])
    return {"ours": ours, "recovery": recovered, "first_step": first_step, "shown": shown, "picture": picture}


def tangle_page(part, results):
    facts, ours, recovered = TANGLES[part], results["ours"], results["recovery"]
    lines = [
        f"## {ours['scene']} (figure {facts['figure']})", "",
        f"Scene: `gast-2015/{part}`, {ours['dofs']} degrees of freedom, {ours['elements']} elements, one step per 24 Hz frame, "
        f"{ours['frames']} frames, tolerance {ours['tolerance']} m/s. Inverted elements are red. Frames {', '.join(map(str, results['shown']))}:", "",
        f"![{ours['scene']}]({results['picture']})", "",
        "| | paper | ours | ratio |", "| --- | --- | --- | --- |"]
    lines.insert(2, "The paper does not give its stiffnesses. Ours were chosen, on small cubes, for numbers of frames like the paper's; the "
                 "number of frames below shows how far that carries over to full size.")
    lines.insert(3, "")
    if "note" in facts:
        lines[4:4] = [facts["note"], ""]
    if recovered:
        frames = recovered["frames"]
        lines += [f"| frames until no element is inverted | {compared(frames, facts['recovery'], 0)} |",
                  f"| until then: seconds in all | | {recovered['seconds']:.0f} | |",
                  f"| until then: linear solves a step | | {recovered['solves'] / frames:.1f} | |",
                  f"| until then: seconds a frame | | {recovered['seconds'] / frames:.1f} | |"]
    else:
        lines.append(f"| frames until no element is inverted | {facts['recovery']} | not in this run | |")
    return lines + [f"| all frames: linear solves a step | {compared(solves_a_step(ours), facts['solves'], 1)} |",
                    f"| all frames: seconds a frame | {compared(seconds_a_frame(ours), facts['seconds'], 1)} |",
                    f"| seconds of the first step | | {results['first_step']:.1f} | |",
                    f"| peak memory, MB | | {ours['peak_memory_bytes'] / 1e6:.0f} | |",
                    f"| inverted elements at the end | 0 | {ours['final']['inverted_elements']} | |",
                    f"| steps converged | all | {share(ours)} | |", ""]


# Figures 1, 6, 10, 12, 13 and 14


def shown(part, measured, vertices):
    """What the experiment must show, and whether it does. `measured` are the facts of each number of steps a frame."""
    usual = next(iter(measured.values()))
    feasible = all(facts["gap"] >= -1e-9 for facts in measured.values())
    if part == "torus-drop":
        return {"the hole stays open: in the last fifth of the film no vertex is deeper in the ring than 2% of its minor radius, 4 mm":
                usual["late_overlap"] < 0.004}
    if part == "sphere-drop":
        return {"no vertex below the ground in any step": feasible, "no inverted element in any step": usual["inverted"] == 0}
    if part == "sphere-drop-penalty":
        return {"no inverted element in any step": usual["inverted"] == 0}
    if part == "sphere-drop-post-process":
        return {"elements invert": usual["inverted"] > 0}
    if part == "torus-hole":
        return {"no vertex inside of the plate or the rod in any step": feasible,
                "all of the ring is below the plate at the end": max(y for _, y, _ in vertices) < -0.15}
    if part == "squeeze":
        return {"no vertex inside of a cube in any step": feasible,
                "recovers: at the end no element is inverted and the elastic energy is below 1% of the largest (it still swings: short steps "
                "damp less)": all(f["last_inverted"] == 0 and f["elastic"] < 0.01 for f in measured.values())}
    if part == "box-stack":
        return {"no vertex inside of the cube or the floor in any step": feasible}
    centre, inside = (0, 5.7, 0), 5.1
    return {"all rings are in the hollow of the bowl at the end, no deeper in its wall than 2 cm": all(
                math.dist(vertex, centre) < inside + 0.02 and vertex[1] < centre[1] for vertex in vertices),
            "they have come to rest: the kinetic energy is below 1% of the largest": usual["kinetic"] < 0.01}


def run_collision(lab, part):
    facts = COLLISIONS[part]
    usual, *others = facts["seconds"]
    ours = {usual: lab.run(part, part)}
    measured = {usual: contact_facts(lab.steps(part))}
    for steps in others:
        name = f"{part}-{steps}"
        ours[steps] = lab.run(part, name, "--set", f"time.steps_per_frame={steps}")
        measured[steps] = contact_facts(lab.steps(name))
    picture = lab.montage(part, facts["frames"], 3, "--width", "480", "--height", "360", *facts.get("options", []))
    return {"ours": ours[usual], "runs": ours, "measured": measured, "picture": picture,
            "shown": shown(part, measured, lab.last_frame(part))}


def collision_rows(facts, results):
    for steps, seconds in facts["seconds"].items():
        summary, measured = results["runs"][str(steps)], results["measured"][str(steps)]
        solves = facts.get("solves", "") if steps == next(iter(facts["seconds"])) else ""
        faster = f"{seconds / seconds_a_frame(summary):.3g}" if seconds else ""
        gap = "" if measured["gap"] is None else f"{1000 * measured['gap']:.2g}"
        yield (f"| {steps} | {share(summary)} | {solves} | {solves_a_step(summary):.1f} | {seconds or ''} | {seconds_a_frame(summary):.3g} | "
               f"{faster} | {100 * measured['share']:.0f}% | {gap} | {1000 * measured['overlap']:.2g} | {1000 * measured['last_overlap']:.2g} | "
               f"{measured['inverted']} | {summary['final']['inverted_elements']} | {100 * measured['elastic']:.2g}%, {100 * measured['kinetic']:.2g}% |")


def collision_page(part, results):
    facts, ours = COLLISIONS[part], results["ours"]
    results = {**results, **{key: {str(steps): value for steps, value in results[key].items()} for key in ("runs", "measured")}}
    return [
        f"## {ours['scene']} (figure {facts['figure']})", "",
        f"Scene: `gast-2015/{part}`, {ours['dofs']} degrees of freedom, {ours['elements']} elements, {ours['frames']} frames of 1/24 s, tolerance "
        f"{ours['tolerance']} m/s, peak memory {ours['peak_memory_bytes'] / 1e6:.0f} MB. Frames {facts['frames'].replace(',', ', ')}:", "",
        f"![{ours['scene']}]({results['picture']})", "",
        "| steps a frame | converged | solves a step, paper | ours | seconds a frame, paper | ours | times as fast | of which contact | smallest gap to "
        "an obstacle, mm | largest overlap of bodies, mm | at the end, mm | most inverted elements | at the end | elastic, kinetic energy at the end, of the largest |",
        "|" + " --- |" * 14, *collision_rows(facts, results), "",
        *(f"- {claim}: {'yes' if holds else '**no**'}" for claim, holds in results["shown"].items()), "",
        *([facts["note"], ""] if "note" in facts else [])]


PARTS = {"basin": (run_basin, basin_page), **{name: (run_pull, pull_page) for name in PULLS},
         **{name: (run_tangle, tangle_page) for name in TANGLES}, **{name: (run_collision, collision_page) for name in COLLISIONS}, **loschner.PARTS, **liu.PARTS}


def head(lab):
    lines = ["# Reproduction", "",
             "The experiments of Gast and Schroeder 2014, Gast et al. 2015, Löschner et al. 2020 and Liu 2018, the papers' numbers beside ours; figures of the first are those of 2014. Written by "
             "`make reproduce`. Ours is `newton-cg` ([the method](method.md)) unless said otherwise; the paper's own rule for indefinite matrices is "
             "`newton-truncated`; the scenes of Liu 2018 name their solvers."]
    found = [lab.results(part) for part in PARTS]
    summary = max((r["ours"] for r in found if r and "ours" in r), key=lambda ours: ours["threads"], default=None)
    if not all(found):  # most of the page is of another run: what was said of its machine stays
        return (ROOT / "docs/reproduction.md").read_text().split("<!-- ")[0].rstrip().splitlines() + [""]
    lines[-1] += (f" The times of Gast et al. are of one core of a 3.1 to 3.5 GHz Xeon of 2014, those of Löschner et al. of an i9-9900K, those of Liu of one core of an i7-3720QM; ours of "
                  f"{summary['threads']} threads on {summary['cpu']}, {summary['flags']}, and vary by up to a quarter from hour to hour. Gast et al. do not give their tolerance, so solves and seconds compare only roughly; ours is "
                  "a mean velocity error. On the tangled cubes it decides a good deal: a tenth of it takes three times the solves (tried on 33^3 vertices, "
                  "for the soft cubes). Nor do they say over how many frames they average "
                  "the solves and seconds of figures 8 and 9, which spend most of them on the first one or two. Systems of single places that "
                  "move alone ([the method](method.md)) are not counted among the solves; their time is.")
    return lines + [""]


def mark(part):
    return f"<!-- {part} -->"


def sections(page):
    """What the page has for each part, by its marks."""
    found = re.split(r"^<!-- ([a-z0-9-]+) -->\n", page, flags=re.MULTILINE)
    return dict(zip(found[1::2], found[2::2]))


def other_machine(results, top):
    """A line, where a part was run on another machine than the head of the page says."""
    ours = results.get("ours")
    if not ours or ours["cpu"] in top:
        return []
    return [f"This section is of {ours['threads']} thread{'s' * (ours['threads'] > 1)} on another machine: {ours['cpu']}.", ""]


def write_page(lab):
    """Parts without results here keep what the page says of them."""
    page = ROOT / "docs/reproduction.md"
    kept = sections(page.read_text())
    body, top = "", "\n".join(head(lab))
    for part, (_, text) in PARTS.items():
        results = lab.results(part)
        if results:
            kept[part] = "\n".join([*text(part, results), *other_machine(results, top)]).rstrip() + "\n\n"
        if part in kept:
            body += mark(part) + "\n" + kept[part]
    page.write_text((top + "\n" + body).rstrip() + "\n")
    print("wrote docs/reproduction.md")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/release/pliant")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "out/reproduce")
    parser.add_argument("--only", action="append", choices=PARTS, metavar="PART", help=f"run this part: {', '.join(PARTS)}")
    parser.add_argument("--page", action="store_true", help="run nothing, write the page again")
    args = parser.parse_args()
    lab = Lab(args.program, args.out)
    lab.out.mkdir(parents=True, exist_ok=True)
    for part in [] if args.page else args.only or PARTS:
        results = lab.results(part)
        if args.only or not results or results["build"] != lab.build:
            lab.save(part, PARTS[part][0](lab, part))
            write_page(lab)
    write_page(lab)


if __name__ == "__main__":
    main()
