"""Solves the programs that the given program prints with OSQP and compares the answers, which it has in two ways."""

import json
import subprocess
import sys

import numpy
import osqp
from scipy import sparse

TOLERANCE = 1e-5  # of velocities, relative; OSQP is asked for far less

worst, infeasible, count = {"exact": 0.0, "split": 0.0}, 0, 0
for line in subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout.splitlines():
    program = json.loads(line)
    c, least = (numpy.array(program[key]) for key in ("c", "least"))
    C, G = numpy.array(program["C"]).reshape(len(c), -1), numpy.array(program["G"]).reshape(-1, len(c))
    solver = osqp.OSQP()
    solver.setup(sparse.csc_matrix(numpy.triu(C)), -c, sparse.csc_matrix(G), least, numpy.full(len(least), numpy.inf), eps_abs=1e-10, eps_rel=1e-10,
                 max_iter=200000, polish=True, verbose=False)
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
        worst[way] = max(worst[way], numpy.linalg.norm(answer.x - ours["v"]) / numpy.linalg.norm(answer.x))
        assert worst[way] < TOLERANCE, f"{what}: the answers differ by {worst[way]}"
assert 0 < infeasible < count
print(f"{count} programs, {infeasible} of them infeasible for both: the answers differ by {worst['exact']:.1e} at most, by splitting alone by {worst['split']:.1e}")
