#!/usr/bin/env python3
"""What Python costs: importing the package, and calling a step that does next to nothing. Prints a line each.

PYTHONPATH=build/release/python bench/python_calls.py
"""

import subprocess
import sys
import time


def importing():
    code = "import time; t = time.perf_counter(); import numpy; n = time.perf_counter(); import pliant; " \
           "print(n - t, time.perf_counter() - n)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
            for _ in range(9)]
    numpy, own = (min(float(run[k]) for run in runs) for k in (0, 1))
    print(f"import pliant        {own:8.3f} s, after numpy, which takes {numpy:.3f} s")


def calling():
    import pliant

    scene = pliant.Scene(gravity=[0, 0, 0], time={"scheme": "symplectic-euler"})
    scene.add_body(vertices=[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], tets=[[0, 1, 2, 3]])
    sim = scene.build()

    def microseconds(call, count=20000):
        best = float("inf")
        for _ in range(5):
            began = time.perf_counter()
            for _ in range(count):
                call()
            best = min(best, (time.perf_counter() - began) / count)
        return 1e6 * best

    print(f"sim.x                {microseconds(lambda: sim.x):8.2f} us")
    print(f"sim.step(), one tet  {microseconds(lambda: sim.step(1e-9)):8.2f} us, all that the library does for it included")
    report = sim.step(1e-9)
    print(f"report.energies      {microseconds(lambda: report.energies):8.2f} us")


importing()
calling()
