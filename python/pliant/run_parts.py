"""What a run folder is made of: bodies, obstacles and the list of frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .run import Run


@dataclass(frozen=True, eq=False, repr=False)
class RunBody:
    """The rest mesh of a body. Arrays are read-only; numbers of vertices count from 0, within the body.

    A body of hexahedra is recorded as the tetrahedra that they fall into, a sheet as its triangles.
    """

    name: str
    vertices: NDArray[np.float64]  #: (n, 3) float64, rest positions, m
    tets: NDArray[np.int32]  #: (m, 4) int32
    triangles: NDArray[np.int32]  #: (m, 3) int32
    edges: NDArray[np.int32]  #: (m, 2) int32, of strands
    first_vertex: int  #: where its vertices start in a frame
    color: tuple[float, float, float] | None = None  #: red, green and blue from 0 to 1, where the scene gives one
    origin: NDArray[np.int32] | None = None  #: (n,) int32, of a body that has torn: which vertex of frame 0 each one was

    def __repr__(self) -> str:
        cells = ", ".join(f"{len(getattr(self, kind))} {kind}" for kind in ("tets", "triangles", "edges") if len(getattr(self, kind)))
        return f"<RunBody {self.name!r}: {len(self.vertices)} vertices, {cells}>"

    @cached_property
    def surface(self) -> NDArray[np.int32]:
        """(m, 3) int32, the triangles that are seen: of tetrahedra the faces that only one of them has, outward."""
        if not len(self.tets):
            return self.triangles
        faces = self.tets[:, [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]]].reshape(-1, 3)
        key = np.sort(faces, axis=1)
        order = np.lexsort(key.T)
        same = (key[order[1:]] == key[order[:-1]]).all(axis=1)
        single = np.ones(len(faces), bool)
        single[order[1:][same]] = single[order[:-1][same]] = False
        surface = faces[single]
        surface.flags.writeable = False
        return surface


@dataclass(frozen=True, eq=False, repr=False)
class RunObstacle:
    """Something rigid that bodies collide with: its surface before its motion, and where it is in each frame."""

    name: str
    vertices: NDArray[np.float64]  #: (n, 3) float64, m
    triangles: NDArray[np.int32]  #: (m, 3) int32
    turns: NDArray[np.float64]  #: (frames, 4) float64, unit quaternions w, x, y, z
    shifts: NDArray[np.float64]  #: (frames, 3) float64, m
    contact: str = ""  #: how it keeps bodies out
    friction: float = 0.0
    unbounded: bool = False  #: has no end, like a plane; the surface is a part of it

    def __repr__(self) -> str:
        return f"<RunObstacle {self.name!r}: {len(self.vertices)} vertices, {len(self.triangles)} triangles>"

    def frame(self, i: int) -> NDArray[np.float64]:
        """(n, 3) float64, where its vertices are in frame i, m."""
        w, v = self.turns[i, 0], self.turns[i, 1:]
        across = 2 * np.cross(v, self.vertices)
        return self.vertices + w * across + np.cross(v, across) + self.shifts[i]


class Frames(Sequence):
    """The frames of a run as a sequence of read-only memory maps; more come while it is being written."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def __len__(self) -> int:
        return len(self._run)

    def __getitem__(self, i: int | slice) -> Any:
        if isinstance(i, slice):
            return [self._run.frame(k) for k in range(*i.indices(len(self)))]
        return self._run.frame(i)
