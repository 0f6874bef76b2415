#!/usr/bin/env python3
"""Runs two programs on the same small scenes and says where their results differ, to the last bit.

    tools/same_bits.py OLD NEW                       all cases, about three minutes on one core
    tools/same_bits.py OLD NEW --only 'bar/|tear'    some of them
    tools/same_bits.py NEW NEW                       one program: threads and resuming alone

Each program runs the scenes of its own tree, the nearest folder above it that has `scenes/` and `src/`, so that keys of scene files
may change between the two. Each case is run by each program, with 1 and with 2 threads, and one with `resume` also in two goes. All
of these are compared with the first run of OLD: exit codes, the bytes of every frame, and steps.csv column by column, by name, all
but seconds_*. A column or case that only one of the two has is named and does not count as a difference.

Programs may be compiled in different ways, with -O1 or -O3, for this machine or any: their bits are the same. (Not those of releases
before tests/structure/nothing_fused.sh: GCC 12 fused products and sums where it made matrices of contact definite.)

Exit code 0: something was compared, and all of it is equal. 1: something differs, did not run, or nothing was compared. 2: wrong usage.

The cases stand in tools/same_bits/cases.toml (in a tree without one, those beside this file are taken; --old-cases and --new-cases
name another folder):

    [bar]                                    # a scene, bar.toml beside the list unless `scene` says otherwise
    scene = "gast-2015/stretch"              # here one of the tree's scenes/
    set = "duration=0.2 body.0.shape.cells=[3,3,3]"    # overrides, as after --set, apart by blanks
    frames = 3                               # as --frames, unless the scene's own duration is short
    resume = 1                               # also stopped after this frame and resumed
    [bar.each]                               # a case for each line, here bar/cg and bar/lbfgs; without, the case is called bar
    cg = "solver.method=newton-cg"
    lbfgs = "solver.method=lbfgs"

Whether the cases reach what a change touches is measured with a build whose files of these rooms are compiled with `-O0 --coverage`
and that is linked with `--coverage`: run `tools/same_bits.py PROGRAM PROGRAM --threads 2` with it, then `gcovr -r . --filter
'src/pliant/(minimize|system|integrate|contact)/' BUILD`. The four rooms are to stay above 90% of their lines.
"""

import argparse
import concurrent.futures
import csv
import dataclasses
import hashlib
import math
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
NOT_COMPARED = "seconds_"  # columns that begin so depend on the machine
RAN = (0, 3)  # exit codes: done; done, but some step did not converge


class Wrong(Exception):
    """Something that the caller has to mend."""


@dataclasses.dataclass
class Case:
    name: str
    scene: pathlib.Path
    overrides: list
    frames: int | None
    resume: int | None


@dataclasses.dataclass
class Result:
    """What a run left: its exit code, frames by name, rows of steps.csv, what it said."""

    exit_code: object
    frames: dict
    columns: list
    rows: list
    said: str


# --- what is run ---


def tree_of(program):
    for folder in program.resolve().parents:
        if (folder / "scenes").is_dir() and (folder / "src").is_dir():
            return folder
    raise Wrong(f"{program}: no folder above it has scenes/ and src/; name its tree with --old-tree or --new-tree")


def read_cases(folder, tree):
    """Every case of the list in a folder, by name."""
    with open(folder / "cases.toml", "rb") as file:
        families = tomllib.load(file)
    cases = {}
    for name, family in families.items():
        unknown = set(family) - {"scene", "set", "frames", "resume", "each"}
        if unknown:
            raise Wrong(f"{folder / 'cases.toml'}: [{name}] has unknown keys: {', '.join(sorted(unknown))}")
        scene = tree / "scenes" / (family["scene"] + ".toml") if "scene" in family else folder / (name + ".toml")
        shared = shlex.split(family.get("set", ""))
        each = family.get("each", {"": ""})
        for variant, overrides in each.items():
            full = f"{name}/{variant}" if variant else name
            cases[full] = Case(full, scene, shared + shlex.split(overrides), family.get("frames"), family.get("resume"))
    return cases


class Program:
    """One of the two, with its cases and the folder its runs go to."""

    def __init__(self, label, path, tree, cases, out, limit):
        self.label = label
        self.path = path.resolve()
        if not os.access(self.path, os.X_OK):
            raise Wrong(f"{path} is no program")
        self.tree = (tree or tree_of(path)).resolve()
        folder = cases or self.tree / "tools/same_bits"
        if not (folder / "cases.toml").is_file():
            if cases:
                raise Wrong(f"{folder} has no cases.toml")
            folder = HERE / "same_bits"
        self.cases_folder = folder
        self.cases = read_cases(folder, self.tree)
        self.out = out
        self.limit = limit

    def digest(self):
        return hashlib.sha256(self.path.read_bytes()).hexdigest()[:16]

    def run(self, case, threads, resume):
        """Runs a case, in two goes where `resume` says so."""
        folder = self.out / f"{case.name.replace('/', '-')}-{threads}{'-resumed' if resume else ''}"
        shutil.rmtree(folder, ignore_errors=True)
        command = [self.path, "run", case.scene, "--quiet", "--threads", str(threads), "-o", folder]
        for override in case.overrides:
            command += ["--set", override]
        whole = ["--frames", str(case.frames)] if case.frames is not None else []
        goes = [["--frames", str(case.resume)], whole + ["--resume"]] if resume else [whole]
        said = ""
        for go in goes:
            try:
                done = subprocess.run(command + go, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=self.limit)
            except subprocess.TimeoutExpired:
                return Result(f"none, as it was not done after {self.limit:g} s", {}, [], [], said)
            said += done.stdout
            if done.returncode not in RAN:
                return Result(done.returncode, {}, [], [], said)
        table = folder / "steps.csv"
        if not table.is_file() or not table.stat().st_size:
            return Result("0, though there is no steps.csv", {}, [], [], said)
        frames = {path.name: path.read_bytes() for path in sorted((folder / "frames").glob("*.npy"))}
        with open(table, newline="") as file:
            columns, *rows = list(csv.reader(file))
        return Result(done.returncode, frames, columns, rows, said)


# --- what is compared ---


def number(text):
    try:
        return float(text)
    except ValueError:
        return math.nan


def distance(a, b):
    gap = abs(number(a) - number(b))
    return f" (by {gap:.3g})" if math.isfinite(gap) else ""


def positions(data):
    start = 10 + int.from_bytes(data[8:10], "little")
    return struct.unpack(f"<{(len(data) - start) // 4}f", data[start:])


def compare_frames(old, new):
    if old.keys() != new.keys():
        return [f"frames: {len(old)} against {len(new)}"]
    different = [name for name in old if old[name] != new[name]]
    if not different:
        return []
    name = different[0]
    a, b = positions(old[name]), positions(new[name])
    text = f"frames/{name} is the first of {len(different)} frames that differ: "
    if len(a) != len(b):
        return [text + f"{len(a) // 3} vertices against {len(b) // 3}"]
    apart = [i for i in range(len(a)) if struct.pack("<f", a[i]) != struct.pack("<f", b[i])]
    if not apart:
        return [text + "not the positions, what stands before them"]
    worst = max(apart, key=lambda i: abs(a[i] - b[i]) if math.isfinite(a[i] - b[i]) else math.inf)
    return [text + f"{len(apart)} of {len(a)} numbers, most of all vertex {worst // 3}, {'xyz'[worst % 3]}: {a[worst]!r} against "
            f"{b[worst]!r}{distance(a[worst], b[worst])}"]


def compare_steps(old, new, names, renamed):
    """`names` are columns of the old table; each difference with the first step that shows it."""
    if len(old.rows) != len(new.rows):
        return [f"steps.csv: {len(old.rows)} steps against {len(new.rows)}"]
    found = []
    for column in names:
        a, b = old.columns.index(column), new.columns.index(renamed.get(column, column))
        different = [i for i in range(len(old.rows)) if old.rows[i][a] != new.rows[i][b]]
        if different:
            i = different[0]
            x, y = old.rows[i][a], new.rows[i][b]
            found.append((i, f"steps.csv, {column}: {len(different)} of {len(old.rows)} steps differ, the first is row {i + 1}: {x} against "
                             f"{y}{distance(x, y)}"))
    return [text for _, text in sorted(found, key=lambda item: item[0])]


def compare(old, new, renamed):
    """What differs, and how many columns were compared."""
    if new.exit_code not in RAN:
        return [f"exit code {new.exit_code}: {new.said.strip()[-500:]}"], 0
    names = [name for name in old.columns if not name.startswith(NOT_COMPARED) and renamed.get(name, name) in new.columns]
    differences = compare_frames(old.frames, new.frames) + compare_steps(old, new, names, renamed)
    if old.exit_code != new.exit_code:
        differences.append(f"exit code {old.exit_code} against {new.exit_code}")
    return differences, len(names)


class Comparison:
    def __init__(self, old, new, options):
        self.old, self.new, self.options = old, new, options
        self.renamed = dict(pair.split("=", 1) for pair in options.column)
        self.frames = self.steps = self.runs = 0
        self.columns, self.only_old, self.only_new = set(), set(), set()

    def runs_of(self, case_old, case_new):
        """Every run of a case: whose, with how many threads, resumed or not. The first is what the others are compared with."""
        runs = []
        for program, case in ((self.old, case_old), (self.new, case_new)):
            for resume in (False, True) if case.resume is not None else (False,):
                runs += [(program, case, threads, resume) for threads in self.options.threads]
        return runs

    def run(self, name):
        start = time.monotonic()
        runs = self.runs_of(self.old.cases[name], self.new.cases[name])
        results = [program.run(case, threads, resume) for program, case, threads, resume in runs]
        first, differences, columns = results[0], [], 0
        if first.exit_code not in RAN:
            differences.append(f"{self.old.label}: exit code {first.exit_code}: {first.said.strip()[-500:]}")
        elif not first.frames or not first.rows:
            differences.append(f"{self.old.label}: wrote {len(first.frames)} frames and {len(first.rows)} steps: there is nothing to compare")
        else:
            for (program, _, threads, resume), result in zip(runs[1:], results[1:]):
                label = f"{program.label}, {threads} thread{'s' if threads > 1 else ''}{', resumed' if resume else ''}"
                found, columns = compare(first, result, self.renamed if program is self.new else {})
                differences += [f"{label}: {text}" for text in found[:self.options.lines]]
                if len(found) > self.options.lines:
                    differences.append(f"{label}: and {len(found) - self.options.lines} columns more")
        return name, first, results[-1], differences, columns, len(runs), time.monotonic() - start

    def count(self, first, last, runs):
        """Counts what was compared without a difference."""
        self.frames += len(first.frames)
        self.steps += len(first.rows)
        self.runs += runs
        there = {self.renamed.get(name, name): name for name in first.columns if not name.startswith(NOT_COMPARED)}
        new = {name for name in last.columns if not name.startswith(NOT_COMPARED)}
        self.columns |= {there[name] for name in there.keys() & new}
        self.only_old |= {there[name] for name in there.keys() - new}
        self.only_new |= new - there.keys()

    def report(self, results):
        same, different = 0, []
        for name, first, last, differences, columns, runs, seconds in results:
            if not differences and columns > 0:
                same += 1
                self.count(first, last, runs)
                print(f"same       {name:<44} {len(first.frames):>3} frames {len(first.rows):>4} steps {runs} runs {seconds:6.1f} s", flush=True)
                continue
            different.append(name)
            print(f"DIFFERENT  {name:<44} {runs} runs {seconds:6.1f} s", flush=True)
            for text in differences or ["there is no column that both have"]:
                print("    " + text)
        return same, different


def chosen_cases(old, new, only):
    """Names of cases that both have; those that only one has are said."""
    pattern = re.compile(only)
    names = [name for name in new.cases if name in old.cases and pattern.search(name)]
    for one, other in ((old, new), (new, old)):
        alone = [name for name in one.cases if name not in other.cases and pattern.search(name)]
        if alone:
            print(f"only {one.label} has: {', '.join(alone)}")
    return names


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=pathlib.Path, metavar="OLD", help="a program, or its wrapper: what it gives is right")
    parser.add_argument("new", type=pathlib.Path, metavar="NEW", help="the program to be checked")
    parser.add_argument("--only", default="", metavar="REGEX", help="cases whose names hold this")
    parser.add_argument("--jobs", type=int, default=1, help="cases to run at a time, %(default)s unless given")
    parser.add_argument("--threads", type=lambda text: [int(n) for n in text.split(",")], default=[1, 2], metavar="N,N",
                        help="of each program's runs, 1,2 unless given")
    parser.add_argument("--old-tree", type=pathlib.Path, metavar="DIR", help="where OLD's scenes/ lie")
    parser.add_argument("--new-tree", type=pathlib.Path, metavar="DIR", help="where NEW's scenes/ lie")
    parser.add_argument("--old-cases", type=pathlib.Path, metavar="DIR", help="cases.toml and scenes for OLD")
    parser.add_argument("--new-cases", type=pathlib.Path, metavar="DIR", help="cases.toml and scenes for NEW")
    parser.add_argument("--column", action="append", default=[], metavar="OLD=NEW", help="a column of steps.csv that is called NEW now")
    parser.add_argument("--limit", type=float, default=120, metavar="S", help="seconds after which a run counts as hung, %(default)g unless given")
    parser.add_argument("--lines", type=int, default=4, help="differences shown of a run, %(default)s unless given")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="leave all runs there, in DIR/old and DIR/new")
    parser.add_argument("--list", action="store_true", help="print the names of the cases and end")
    return parser.parse_args(arguments)


def compare_programs(options, out):
    old = Program("OLD", options.old, options.old_tree, options.old_cases, out / "old", options.limit)
    new = Program("NEW", options.new, options.new_tree, options.new_cases, out / "new", options.limit)
    names = chosen_cases(old, new, options.only)
    if options.list:
        print("\n".join(names))
        return 0
    for program in (old, new):
        print(f"{program.label}: {program.path} ({program.digest()}), scenes of {program.tree}, cases of {program.cases_folder}")
    start = time.monotonic()
    comparison = Comparison(old, new, options)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        same, different = comparison.report(pool.map(comparison.run, names))
    print(f"{same} cases are the same: {comparison.frames} frames, {comparison.steps} steps and {len(comparison.columns)} columns by name, in "
          f"{comparison.runs} runs; {len(different)} cases are not; {time.monotonic() - start:.0f} s")
    for label, columns in ((old.label, comparison.only_old), (new.label, comparison.only_new)):
        if columns:
            print(f"columns that only {label} has: {', '.join(sorted(columns))}")
    if different:
        print(f"different: {', '.join(different)}")
    if not names:
        print("no case was run: nothing was compared")
    return 0 if same > 0 and not different else 1


def main(arguments):
    options = parse(arguments)
    try:
        if options.keep:
            return compare_programs(options, options.keep.resolve())
        with tempfile.TemporaryDirectory(prefix="same-bits-") as folder:
            return compare_programs(options, pathlib.Path(folder))
    except (Wrong, OSError, re.error, tomllib.TOMLDecodeError) as error:
        print(f"same_bits.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
