#!/usr/bin/env python3
"""Measures what each safeguard of the solver is worth and prints tables in Markdown; with --write they go to docs/method.md too, between the
marks there.

Every row, random scenes of tools/soak.py or a scene of the gallery, is run with all safeguards, without each of them alone, and with none:
one program at a time, with one thread. Results lie in OUT, a JSON file for each row and variant; those of this program are not measured
again, so a run that was interrupted goes on, and tables are printed of all there are. Seconds are processor time of the program (user and
system), which other work on the machine disturbs less than the clock. A scene that takes --limit times as many as with all safeguards is
stopped, and the steps that it has not reached are counted.
"""

import argparse
import csv
import hashlib
import json
import math
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib

import soak

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/method.md"
BEGIN, END = "<!-- written by tools/safeguards.py -->\n", "<!-- end -->\n"

SAFEGUARDS = ("guesses", "walls", "places", "rotations")
VARIANTS = {"all": (), **{f"without {name}": (name,) for name in SAFEGUARDS}, "none": SAFEGUARDS}
SOAK_SCENES, SOAK_STEPS = 400, 10
LEAST_LIMIT = 20  # seconds of a scene, however quick it is with all safeguards
CUBE = ["body.0.shape.cells=[16,16,16]"]  # 17^3 vertices instead of 65^3


def soak_row(seed):
    def scenes(lab):
        for number in range(SOAK_SCENES):
            yield lab.write_scene(soak.random_scene(seed, number, SOAK_STEPS, lab.random.models, lab.random.forbidding)), ["time.scheme=backward-euler"]
    return scenes


def gallery_row(name, settings=()):
    def scenes(lab):
        yield ROOT / f"scenes/gast-2015/{name}.toml", list(settings)
    return scenes


ROWS = {"soak-1": soak_row(1), "soak-2": soak_row(2),
        **{f"{start}-{stiffness}": gallery_row(f"{start}-{stiffness}", CUBE) for start in ("random", "point") for stiffness in ("low", "medium", "high")},
        "two-spheres": gallery_row("two-spheres"), "box-stack": gallery_row("box-stack", ["duration=0.5"])}  # a quarter: the cube has struck


def steps_of(scene, settings):
    keys = tomllib.loads(scene.read_text())
    keys |= tomllib.loads("\n".join(item for item in settings if item.startswith("duration=")))
    return round(keys["duration"] * keys["frame_rate"]) * keys.get("time", {}).get("steps_per_frame", 1)


class Lab:
    """The program, and the folder of runs and results."""

    def __init__(self, options):
        self.program = options.program.resolve()
        self.out = options.out.resolve()
        self.out.mkdir(parents=True, exist_ok=True)
        self.limit = options.limit
        self.build = hashlib.sha256(self.program.read_bytes()).hexdigest()
        self.folder = tempfile.TemporaryDirectory(dir=self.out)  # of this Lab alone, should a program outlive the one before
        self.work = pathlib.Path(self.folder.name)
        self.random = soak.Soak(argparse.Namespace(program=self.program, out=self.work))

    def write_scene(self, text):
        file = self.work / "scene.toml"
        file.write_text(text)
        return file

    def run(self, scene, settings, limit):
        """The rows of steps.csv, the processor time in seconds, and whether the limit on it stopped the program."""
        folder = self.work / "run"
        shutil.rmtree(folder, ignore_errors=True)
        command = [self.program, "run", scene, "-o", folder, "--quiet", "--threads", "1"]
        for item in settings:
            command += ["--set", item]
        with open(self.work / "said.txt", "w") as said:
            process = subprocess.Popen(command, stdout=said, stderr=said,
                                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY)))
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = usage.ru_utime + usage.ru_stime
        stopped = process.returncode == -signal.SIGXCPU
        if process.returncode not in (0, 3) and not stopped:
            sys.exit(f"{scene} ended with exit code {process.returncode}: {(self.work / 'said.txt').read_text()}")
        with open(folder / "steps.csv", newline="") as file:
            return list(csv.DictReader(file)), seconds, stopped

    def measure(self, row, off):
        """Sums over the scenes of a row, run without some safeguards."""
        switches = [f"solver.safeguards.{name}=false" for name in off]
        sums = dict.fromkeys(("steps", "reached", "failed", "iterations", "evaluations", "linear_solves", "local_solves", "stopped"), 0)
        sums["seconds"] = []
        for number, (scene, settings) in enumerate(ROWS[row](self)):
            steps, seconds, stopped = self.run(scene, settings + switches, self.limit_of(row, number) if off else resource.RLIM_INFINITY)
            sums["steps"] += steps_of(scene, settings)
            sums["reached"] += len(steps)
            sums["failed"] += sum(step["status"] not in soak.CONVERGED for step in steps)
            for key in ("iterations", "evaluations", "linear_solves", "local_solves"):
                sums[key] += sum(int(step[key]) for step in steps)
            sums["stopped"] += stopped
            sums["seconds"].append(round(seconds, 3))
        return sums

    def limit_of(self, row, number):
        return max(LEAST_LIMIT, math.ceil(self.limit * self.results(row, "all")["seconds"][number]))

    def results(self, row, variant):
        """What was measured; None where this program has not been."""
        file = self.out / "results" / f"{row} {variant}.json"
        kept = json.loads(file.read_text()) if file.exists() else {}
        return kept if kept.get("build") == self.build and kept.get("limit") == self.limit else None

    def measured(self):
        """Of each row that was run with and without everything, the sums of each variant."""
        all_rows = {row: {variant: self.results(row, variant) for variant in VARIANTS} for row in ROWS}
        return {row: sums for row, sums in all_rows.items() if all(sums.values())}

    def fill(self, row, variant):
        if self.results(row, variant):
            return
        print(f"{row}, {variant}", file=sys.stderr, flush=True)
        sums = self.measure(row, VARIANTS[variant])
        file = self.out / "results" / f"{row} {variant}.json"
        file.parent.mkdir(exist_ok=True)
        file.with_suffix(".part").write_text(json.dumps({"build": self.build, "limit": self.limit, **sums}, indent=1))
        file.with_suffix(".part").rename(file)


# What is said of the results: measured[row][variant] are sums.


def seconds_of(sums):
    return sum(sums["seconds"])


def iterations_of(sums):
    return sums["iterations"]


def lost(sums):
    """Steps that failed or were not reached."""
    return sums["steps"] - sums["reached"] + sums["failed"]


def failed_cell(sums):
    missed = sums["steps"] - sums["reached"]
    return f"{sums['failed']}" + (f", {missed} not reached" if missed else "")


def bounded(text, sums):
    return ("> " if sums["stopped"] else "") + text


def table(title, measured, cell):
    lines = [f"| {title} | " + " | ".join(VARIANTS) + " |", "| --- |" + " --- |" * len(VARIANTS)]
    for row, variants in measured.items():
        lines.append(f"| {row} | " + " | ".join(cell(variants[variant]) for variant in VARIANTS) + " |")
    return [*lines, ""]


def same(one, other):
    return all(one[key] == other[key] for key in one if key != "seconds")


def ratio(measured, rows, variant, amount):
    """Of what it takes without a safeguard to what it takes with all."""
    if not rows:
        return ""
    bound = "> " if any(measured[row][variant]["stopped"] for row in rows) else ""
    return f"{bound}{sum(amount(measured[row][variant]) for row in rows) / sum(amount(measured[row]['all']) for row in rows):.2f}"


def worth(measured):
    """A line for each safeguard, over the rows in which it does anything."""
    lines = ["| safeguard | rows in which it acts | change of the steps that fail or are not reached, without it | seconds without it, of those with all | "
             "iterations, where as many steps fail |", "| --- | --- | --- | --- | --- |"]
    for name in SAFEGUARDS:
        variant = f"without {name}"
        rows = [row for row in measured if not same(measured[row]["all"], measured[row][variant])]
        more = {row: lost(measured[row][variant]) - lost(measured[row]["all"]) for row in rows}
        where = ", ".join(f"{row} {count:+}" for row, count in more.items() if count)
        lines.append(f"| `{name}` | {', '.join(rows) or 'none'} | {where or 'none'} | {ratio(measured, rows, variant, seconds_of)} | "
                     f"{ratio(measured, [row for row in rows if not more[row]], variant, iterations_of)} |")
    return [*lines, ""]


def noise(measured):
    """How much seconds differ where a safeguard has nothing to do, and so both runs are the same."""
    ratios = [abs(seconds_of(variants[variant]) / seconds_of(variants["all"]) - 1) for variants in measured.values() for variant in VARIANTS
              if variant != "all" and same(variants["all"], variants[variant])]
    if not ratios:
        return []
    return [f"Where a safeguard does not act, both runs are the same, and their seconds differ by {100 * sum(ratios) / len(ratios):.0f}% in the mean "
            f"and {100 * max(ratios):.0f}% at most: that much is noise.", ""]


def report(measured, limit):
    steps = ", ".join(f"{row} {variants['all']['steps']}" for row, variants in measured.items())
    text = [f"Steps in all: {steps}. Seconds are processor time of the program with one thread, reading and writing included. `>`: scenes were "
            f"stopped after {limit:g} times the seconds that they take with all safeguards ({LEAST_LIMIT} s at least); iterations are those of "
            "the steps that were finished.", ""]
    missing = [row for row in ROWS if row not in measured]
    text += [f"Not measured: {', '.join(missing)}.", ""] if missing else []
    text += table("steps that failed", measured, failed_cell)
    text += table("iterations", measured, lambda sums: bounded(f"{iterations_of(sums)}", sums))
    text += table("seconds", measured, lambda sums: bounded(f"{seconds_of(sums):.1f}", sums))
    text += ["Each safeguard beside all of them, over the rows in which it does anything:", ""]
    return "\n".join(text + worth(measured) + noise(measured))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/release/pliant")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "out/safeguards")
    parser.add_argument("--only", action="append", choices=ROWS, metavar="ROW", help=f"measure this row: {', '.join(ROWS)}")
    parser.add_argument("--limit", type=float, default=10, help="times as long as with all safeguards a scene may take")
    parser.add_argument("--page", action="store_true", help="measure nothing, print what there is")
    parser.add_argument("--write", action="store_true", help="write docs/method.md too")
    options = parser.parse_args()
    lab = Lab(options)
    for row in [] if options.page else options.only or ROWS:
        for variant in VARIANTS:
            lab.fill(row, variant)
    text = report(lab.measured(), lab.limit)
    print(text)
    if options.write:
        page = PAGE.read_text()
        start = page.index(BEGIN) + len(BEGIN)
        PAGE.write_text(page[:start] + text + page[page.index(END, start):])


if __name__ == "__main__":
    main()
