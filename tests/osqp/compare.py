"""Solves the programs that the given program prints with OSQP and compares the answers, which it has in two ways."""

import json
import subprocess
import sys

import numpy
import osqp
from scipy import sparse

TOLERANCE = 1e-5  # of velocities, relative; OSQP is asked for far less


def setup(program):
    """The program for OSQP; the unknowns are the velocities, and for each row of friction how far it slides, which costs its limit."""
    c, least, limit = (numpy.array(program[key]) for key in ("c", "least", "limit"))
    C, G = numpy.array(program["C"]).reshape(len(c), -1), numpy.array(program["G"]).reshape(-1, len(c))
    rubs = limit >= 0
    count, others = numpy.count_nonzero(rubs), numpy.count_nonzero(~rubs)
    slides = numpy.eye(count)
    rows = numpy.block([[G[~rubs], numpy.zeros((others, count))], [G[rubs], slides], [G[rubs], -slides]])
    low = numpy.concatenate([least[~rubs], least[rubs], numpy.full(count, -numpy.inf)])
    high = numpy.concatenate([numpy.full(others + count, numpy.inf), least[rubs]])
    cost = numpy.zeros((len(c) + count, len(c) + count))
    cost[:len(c), :len(c)] = numpy.triu(C)
    solver = osqp.OSQP()
    solver.setup(sparse.csc_matrix(cost), numpy.concatenate([-c, limit[rubs]]), sparse.csc_matrix(rows), low, high, eps_abs=1e-10, eps_rel=1e-10, max_iter=200000,
                 polish=True, verbose=False)
    return solver, len(c), count


worst, infeasible, count, held, slid = {"exact": 0.0, "split": 0.0}, 0, 0, 0, 0
for line in subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout.splitlines():
    program = json.loads(line)
    solver, size, rubbing = setup(program)
    answer = solver.solve()
    count += 1
    without = answer.info.status.startswith("primal infeasible")
    infeasible += without
    for way in worst:
        ours, what = program[way], f"program {count}, {way}"
        if without:
            assert ours["infeasible"], f"{what}: infeasible by OSQP and not by ours"
            continue
        assert answer.info.status.startswith("solved") and ours["solved"], f"{what}: {answer.info.status} by OSQP, ours solved: {ours['solved']}"
        v = answer.x[:size]
        worst[way] = max(worst[way], numpy.linalg.norm(v - ours["v"]) / numpy.linalg.norm(v))
        assert worst[way] < TOLERANCE, f"{what}: the answers differ by {worst[way]}"
    if not without:
        sliding = numpy.count_nonzero(answer.x[size:] > 1e-6)
        slid, held = slid + sliding, held + rubbing - sliding
assert 0 < infeasible < count and held > 0 and slid > 0
print(f"{count} programs, {infeasible} of them infeasible for both, with {held} rows of friction that hold and {slid} that slide: the answers differ by {worst['exact']:.1e} at most, by splitting alone by {worst['split']:.1e}")
