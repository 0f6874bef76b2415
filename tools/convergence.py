"""Errors of solvers against iterations and time: runs of `pliant converge`, tables and plots."""

import csv
import pathlib
import re
import subprocess

import plot

SCENES = pathlib.Path(__file__).resolve().parent.parent / "scenes/liu-2018"
NEWTON = "solver.method=newton-cholesky"
LBFGS = "solver.method=lbfgs"


def file_name(*words):
    """Of what belongs to these words: curtain, stiffness, 10 kPa."""
    return "-".join(re.sub("[^a-z0-9.]+", "-", word.lower()).strip("-") for word in words)


def converge(lab, scene, name, solvers, *options):
    """Errors of solvers on one problem: of each the rows of the table that `pliant converge` writes, which stays in NAME.csv."""
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


def where_data_lie(part):
    return (f"What these plots and tables show lies in `out/reproduce` where `tools/reproduce.py --only {part}` has run: a CSV a curve or a study, `{part}-*.csv`, and everything "
            f"together, `results/{part}.json`.")


def at(rows, iterations):
    """What was reached after so many iterations, or at the end where that came before."""
    return [row for row in rows if row["iterations"] <= iterations][-1]


def until(rows, seconds):
    """What was reached after so much time."""
    return ([row for row in rows if row["seconds"] <= seconds] or rows)[-1]


def reached(rows, error):
    """Where an error came to be so small, as far as it was looked at; None where it did not."""
    return next((row for row in rows if row["error"] <= error), None)


def ms(seconds):
    return f"{1000 * seconds:.3g}" if seconds < 1 else f"{1000 * seconds:.0f}"


FLOOR = 1e-12  # of errors: differences of energies that are smaller are roundoff
LEVELS = (1e-2, 1e-4, 1e-11)  # of errors, at which solvers are compared


def said(error):
    """An error as it is. Where it is negative, a solver has come lower than what errors are measured from; 0 says as low, or lower where the program does not tell."""
    if error <= -FLOOR:
        return f"{-error:.1e} below the reference"
    if error == 0:
        return "≤ 0"
    return f"{error:.1e}" if error >= FLOOR else f"< {FLOOR:g}"


SAID = f"Errors are differences of energies, and those below {FLOOR:g} roundoff; where a table says ≤ 0 the energy is that of the reference, the minimum that `newton-cholesky` finds, or lower."


def shown(rows, key):
    """Points of a line on a logarithm: it ends where nothing that could be shown is left."""
    points = []
    for row in rows:
        if row["iterations"] > 0:
            points.append(((1000 if key == "seconds" else 1) * row[key], max(row["error"], FLOOR)))
            if row["error"] <= FLOOR:
                break
    return points


ERROR = f"relative error ({FLOOR:g}: as much or less)"


def error_plots(lab, name, title, found):
    """Error against iterations and against time; names of the pictures."""
    pictures = []
    many = any(rows[-1]["iterations"] > 100 for rows in found.values())
    for key, label in (("iterations", "iterations"), ("seconds", "time, ms")):
        lines = {solver: shown(rows, key) for solver, rows in found.items()}
        picture = f"{name}-{key}.svg"
        plot.line_plot(lab.picture(picture), title, label, ERROR, lines, log_across=many or key == "seconds", log_up=True)
        pictures.append(f"pictures/{picture}")
    return pictures


def error_table(found, iterations):
    head = "| solver | made once a run, ms | " + " | ".join(f"after {count}" for count in iterations) + " |"
    lines = [head, "| --- " * (2 + len(iterations)) + "|"]
    for solver, rows in found.items():
        cells = " | ".join(f"{said(at(rows, count)['error'])} in {ms(at(rows, count)['seconds'])} ms" for count in iterations)
        lines.append(f"| {solver} | {ms(rows[0]['prepared'])} | {cells} |")
    return lines


def listed(words):
    *first, last = map(str, words) if words else [""]
    return f"{', '.join(first)} and {last}" if first else last
