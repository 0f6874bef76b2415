"""What the tests share."""

import numpy as np
import pliant
import pytest

BAR = {"kind": "box", "size": [3, 1, 1], "cells": [6, 2, 2]}


@pytest.fixture
def hanging():
    """A bar that hangs by one end."""

    def make(**keys):
        scene = pliant.Scene(name="Hanging bar", **{"duration": 0.25, **keys})
        bar = scene.add_body(name="bar", shape=BAR, material={"young": 5e5})
        bar.hold(bar.vertices[:, 0] < -1.49)
        return scene

    return make


@pytest.fixture
def two_tets():
    """Vertices and elements of two tetrahedra that share a face."""
    vertices = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], dtype=float)
    return vertices, np.array([[0, 1, 2, 3], [1, 2, 3, 4]])
