"""Scenes: what is simulated, before it is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

# What a body is called in a scene file whose mesh a program has.
_ARRAYS = "arrays of a program"


class Body:
    """A body of a scene that is being put together; made by `Scene.add_body`."""

    def __init__(self, scene: Scene, position: int, keys: dict[str, Any], mesh: _core.Mesh | None) -> None:
        self._scene = scene
        self._position = position
        self._keys = keys
        self._mesh = mesh
        self._placed: _core.Mesh | None = None

    @property
    def mesh(self) -> _core.Mesh:
        """Its rest shape where the scene puts it."""
        if self._placed is None:
            self._placed = self._scene._meshes()[self._position]
        return self._placed

    @property
    def vertices(self) -> NDArray[np.float64]:
        """Of its rest shape where the scene puts it, (n, 3), m."""
        return self.mesh.vertices

    def hold(self, where: ArrayLike | dict[str, Any], *, release: float | None = None) -> Body:
        """Holds vertices where they start, until the time `release` (s) where that is given.

        `where` is a mask of all vertices, their numbers, or a region as in scene files, like
        {"plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}.
        """
        return self.move(where, release=release)

    def move(self, where: ArrayLike | dict[str, Any], **motion: Any) -> Body:
        """Moves vertices as told: `motion` has the keys of a script in scene files (velocity, spin, keys, release ...)."""
        return self._add("script", where, motion)

    def attach(self, where: ArrayLike | dict[str, Any], *, stiffness: float, **motion: Any) -> Body:
        """Ties each of these vertices by a spring of `stiffness` (N/m) to where it starts, or to a place that moves."""
        return self._add("attachment", where, {"stiffness": stiffness, **motion})

    def _add(self, kind: str, where: ArrayLike | dict[str, Any], keys: dict[str, Any]) -> Body:
        region = where if isinstance(where, dict) else {"indices": self._indices(where)}
        self._keys.setdefault(kind, []).append({"region": region, **keys})
        return self

    def _indices(self, where: ArrayLike) -> list[int]:
        chosen = np.asarray(where)
        if chosen.dtype == bool:
            count = len(self.vertices)
            if chosen.shape != (count,):
                raise ValueError(f"the mask has the shape {chosen.shape}; the body has {count} vertices")
            chosen = np.flatnonzero(chosen)
            if len(chosen) == 0:
                raise ValueError("the mask selects no vertex")
        return [int(vertex) for vertex in np.ravel(chosen)]


class Scene:
    """What is simulated and how, in the words of scene files.

        Scene(name="Drop", duration=2.0, time={"scheme": "sdirk2"}, solver={"tolerance": 1e-4})
        Scene({"name": "Drop", ...})        # the same
        Scene(toml="name = 'Drop' ...")     # the text of a scene file
        Scene("drop.toml")                  # a scene file

    `set` changes keys by their path, as --set does: {"solver.tolerance": 1e-5}. Without a name it is called scene,
    and without a duration it lasts a second, except where it comes from a file.
    """

    def __init__(
        self,
        source: dict[str, Any] | str | os.PathLike[str] | None = None,
        *,
        toml: str | None = None,
        folder: str | os.PathLike[str] = ".",
        set: dict[str, Any] | None = None,
        **keys: Any,
    ) -> None:
        if (source is not None) + (toml is not None) + bool(keys) > 1:
            raise TypeError("a scene is of a file, of a text, of a dict or of keywords; give one of them")
        if toml is not None:
            self._document = _core.Document.parse(toml, "scene", os.fspath(folder))
        elif source is not None and not isinstance(source, dict):
            path = Path(source)
            self._document = _core.Document.parse(path.read_text(encoding="utf-8"), str(path), str(path.parent))
        else:
            given = {"name": "scene", "duration": 1.0, **(source or {}), **keys}
            self._document = _core.Document(given, os.fspath(folder))
        for key, value in (set or {}).items():
            self._document.set(f"{key}={_toml(value)}")
        self._first = self._document.body_count()
        self._bodies: list[Body] = []

    @property
    def bodies(self) -> list[Body]:
        """Those added by `add_body`."""
        return list(self._bodies)

    def add_body(
        self,
        *,
        vertices: ArrayLike | None = None,
        tets: ArrayLike | None = None,
        triangles: ArrayLike | None = None,
        edges: ArrayLike | None = None,
        thickness: float | None = None,
        planar: bool = False,
        positions: ArrayLike | None = None,
        fields: dict[str, ArrayLike] | None = None,
        mesh: _core.Mesh | str | os.PathLike[str] | None = None,
        **keys: Any,
    ) -> Body:
        """Adds a body of a `shape`, of a `mesh` (a file, or what pliant.mesh made) or of arrays.

        vertices: (n, 3), at rest, m.
        tets: (m, 4), a solid; corners so that (x1 - x0) x (x2 - x0) . (x3 - x0) > 0.
        triangles: (m, 3), a sheet `thickness` (m) thick, 1 mm unless given; with `planar` a planar body, which lies in
            a plane of constant z and is 1 m thick.
        edges: (m, 2), a strand of the diameter `thickness`, 5 mm unless given.
        positions: (n, 3), where the vertices begin, where that is not at rest, m.
        fields: numbers at the vertices by name, (n,) or (n, 3), for regions and material["young_field"].

        Further keys are those of a body in scene files: name, material, damping, translate, start, ...
        """
        made: _core.Mesh | None = None
        if isinstance(mesh, _core.Mesh):
            vertices, fields = mesh.vertices, {**mesh.fields, **(fields or {})}
            tets, triangles, edges = (a if len(a) else None for a in (mesh.tets, mesh.triangles, mesh.edges))
            if triangles is not None:
                planar, edges = edges is None, None
        elif mesh is not None:
            keys["mesh"] = mesh
        if vertices is not None:
            made = _core.mesh_of_arrays(vertices, tets, triangles, edges, fields, positions, planar)
            keys.update(_kind(triangles is not None, edges is not None, planar, thickness))
        elif any(given is not None for given in (tets, triangles, edges, positions, fields)):
            raise ValueError("tets, triangles, edges, positions and fields go with vertices; give these too")
        body = Body(self, self._first + len(self._bodies), keys, made)
        self._bodies.append(body)
        return body

    def add_obstacle(self, **keys: Any) -> None:
        """Adds something rigid that bodies collide with; keys are those of an obstacle in scene files."""
        self._document.append_obstacle(keys)

    def check(self) -> list[str]:
        """All that is wrong with the scene, each with its place; empty where it can be built."""
        return self._complete().check()

    def build(self) -> _core.Simulation:
        """The simulation, ready to step. Raises ValueError with every complaint."""
        return _core.Simulation(self._complete())

    def to_toml(self) -> str:
        """The scene with every default filled in."""
        return self._complete().text()

    def _complete(self) -> _core.Document:
        document = self._document.copy()
        for body in self._bodies:
            document.append_body(body._keys, body._mesh)
        return document

    def _meshes(self) -> list[_core.Mesh]:
        return self._complete().meshes()


def mesh(kind: str = "box", **keys: Any) -> _core.Mesh:
    """The mesh of a shape, whose keys are those in scene files: pliant.mesh("torus", major=0.5, minor=0.2, cell=0.05)."""
    return _core.mesh_of_shape({"kind": kind, **keys})


def _kind(is_sheet: bool, is_strand: bool, planar: bool, thickness: float | None) -> dict[str, Any]:
    """What the keys of a body say of arrays: of which kind it is."""
    if is_sheet and planar:
        return {"shape": {"kind": "rectangle"}}
    if is_sheet or is_strand:
        return {"shape": {"kind": "sheet" if is_sheet else "strand", "thickness": thickness}}
    return {"mesh": _ARRAYS}


def _toml(value: Any) -> str:
    """As --set takes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
