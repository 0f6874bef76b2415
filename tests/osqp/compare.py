"""Solves the programs that the given program prints with OSQP and compares the answers."""

import json
import subprocess
import sys

import numpy
import osqp
from scipy import sparse

TOLERANCE = 1e-5  # of velocities, relative; OSQP is asked for far less

worst, infeasible, count = 0.0, 0, 0
for line in subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout.splitlines():
    program = json.loads(line)
    c, least, v = (numpy.array(program[key]) for key in ("c", "least", "v"))
    C, G = numpy.array(program["C"]).reshape(len(c), -1), numpy.array(program["G"]).reshape(-1, len(c))
    solver = osqp.OSQP()
    solver.setup(sparse.csc_matrix(numpy.triu(C)), -c, sparse.csc_matrix(G), least, numpy.full(len(least), numpy.inf), eps_abs=1e-10, eps_rel=1e-10,
                 max_iter=200000, polish=True, verbose=False)
    answer = solver.solve()
    count += 1
    if answer.info.status.startswith("primal infeasible"):
        assert program["infeasible"], f"program {count} is infeasible by OSQP and not by ours"
        infeasible += 1
        continue
    assert answer.info.status.startswith("solved") and program["solved"], f"program {count}: {answer.info.status} by OSQP, ours solved: {program['solved']}"
    worst = max(worst, numpy.linalg.norm(answer.x - v) / numpy.linalg.norm(v))
    assert worst < TOLERANCE, f"program {count}: the answers differ by {worst}"
print(f"{count} programs, {infeasible} of them infeasible for both: the answers differ by {worst:.1e} at most")
