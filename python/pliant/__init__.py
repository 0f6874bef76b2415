"""Pliant simulates things that bend: elastic solids, cloth, ribbons, springs.

    import pliant

    scene = pliant.Scene(name="Hanging bar", duration=2.0)
    bar = scene.add_body(shape={"kind": "box", "size": [3, 1, 1], "cells": [24, 8, 8]},
                         material={"model": "stable-neo-hookean", "young": 5e5, "poisson": 0.45})
    bar.hold(bar.vertices[:, 0] < -1.49)
    sim = scene.build()
    for _ in range(48):
        report = sim.step()
    print(sim.time, sim.x[:, 1].min(), report.energies)

Units are SI: metres, seconds, kilograms, newtons, joules, pascals. Arrays are numpy's: positions (n, 3) float64 in C
order, vertices counted from 0. Keys and words are those of scene files.
"""

from ._core import (
    Contacts,
    Descent,
    Mesh,
    RunResult,
    SimulatedBody,
    Simulation,
    StepReport,
    build_info,
    descend,
    set_threads,
    threads,
)
from .errors import NotConverged, PliantWarning
from .scene import Body, Scene, mesh

__version__ = build_info()["version"]

__all__ = [
    "Body",
    "Contacts",
    "Descent",
    "Mesh",
    "NotConverged",
    "PliantWarning",
    "Run",
    "RunResult",
    "Scene",
    "SimulatedBody",
    "Simulation",
    "StepReport",
    "build_info",
    "descend",
    "mesh",
    "set_threads",
    "threads",
]


def __getattr__(name):
    # Only those who look at runs pay for importing what reads them.
    if name == "Run":
        from .run import Run

        return Run
    raise AttributeError(f"module 'pliant' has no attribute {name!r}")


def __dir__():
    return sorted(set(globals()) | set(__all__))
