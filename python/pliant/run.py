"""Run folders: what `pliant run` and `Simulation.run` write, read back with numpy alone."""

from __future__ import annotations

import fcntl
import json
import operator
import os
import pathlib
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from . import run_files
from .run_parts import Frames, RunBody, RunObstacle

if TYPE_CHECKING:
    from collections.abc import Iterable

    import matplotlib.animation
    import matplotlib.axes
    import meshio
    import pandas
    import pyvista
    from numpy.typing import NDArray

_TORN = re.compile(r"\d{6,9}")  # folders of bodies that have torn are named for the frame


class Run:
    """A run folder, finished or being written.

    What grows (frames, steps, status) is looked up anew whenever it is asked for. Raises ValueError with folder, file and remedy where
    the folder is none or is damaged. A folder that was overwritten since is to be opened anew.

        run = pliant.Run("out/stretch")
        run.frame(-1)[:, 1].min()        # the lowest vertex in the last frame, m
        run.steps["iterations"].sum()
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = pathlib.Path(folder)
        if not self.folder.is_dir():
            raise ValueError(f"{self.folder}: there is no such run folder; `pliant run SCENE -o {self.folder}` makes one")
        self._kept = {}  # file: (what the file system says of it, what was read)
        self._count = 0
        self._bodies = {}  # frame since which bodies are as they are: those bodies
        self.frames = Frames(self)
        self.name, self.frame_rate = self.summary["scene"], self.summary["frame_rate"]

    def __repr__(self) -> str:
        return f"<Run {str(self.folder)!r}: {self.name!r}, {len(self)} frames, {self.status}>"

    # What ran.

    @property
    def summary(self) -> dict[str, Any]:
        """summary.json as a dict: what ran, on what, totals, seconds by phase. Totals are written when the run ends."""
        return self._read("summary.json", _summary)

    @property
    def scene(self) -> str:
        """The scene as it ran, every default filled in; of a model that a program put together what it is made of. TOML."""
        return self._read("scene.toml" if (self.folder / "scene.toml").exists() else "model.toml", str)

    @property
    def status(self) -> str:
        """running (or killed), completed, interrupted, stopped (at a step that did not converge) or failed."""
        return self.summary["status"]

    @property
    def is_finished(self) -> bool:
        """Whether all frames that were planned are there."""
        return self.status == "completed"

    @property
    def is_running(self) -> bool:
        """Whether a program is writing to the folder now."""
        handle = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return False
        except BlockingIOError:
            return True
        except OSError:  # file systems that know no locks
            return False
        finally:
            os.close(handle)

    # What it is about.

    @property
    def bodies(self) -> dict[str, RunBody]:
        """{name: RunBody} as they are in frame 0, in the order of their vertices in a frame."""
        return self._bodies_since(0)

    def bodies_in(self, i: int) -> dict[str, RunBody]:
        """{name: RunBody} as they are in frame i, with fewer elements and other vertices where they have torn."""
        return self._bodies_since(self._torn_before(self._number(i)))

    @property
    def obstacles(self) -> dict[str, RunObstacle]:
        """{name: RunObstacle}."""
        heads = self.summary.get("obstacles", [])
        if not heads:
            return {}
        poses = self._read("obstacles.csv", run_files.read_poses)
        obstacles = {}
        for head in heads:
            rows = poses[poses["name"] == head["name"]]
            surface = self._read(f"obstacles/{head['name']}.obj", run_files.read_obj)
            obstacles[head["name"]] = RunObstacle(
                head["name"], *map(_locked, surface), _locked(np.stack([rows[f"turn_{k}"] for k in "wxyz"], axis=1)),
                _locked(np.stack([rows[f"shift_{k}"] for k in "xyz"], axis=1)), head.get("contact", ""), head.get("friction", 0.0),
                head.get("unbounded", False))
        return obstacles

    # What happened.

    def __len__(self) -> int:
        """Frames on the disk, the start among them."""
        if self._count and not self._frame_path(self._count - 1).exists():
            self._count = 0
        while self._frame_path(self._count).exists():
            self._count += 1
        return self._count

    @property
    def times(self) -> NDArray[np.float64]:
        """(frames,) float64, when each frame is, s."""
        return np.arange(len(self)) / self.frame_rate

    def frame(self, i: int) -> NDArray[np.float32]:
        """(n, 3) float32, positions of all vertices of all bodies in frame i, m; a read-only memory map. -1 is the last."""
        i = self._number(i)
        path = self._frame_path(i)
        try:
            frame = run_files.read_frame(path)
        except (ValueError, OSError) as error:
            raise self._complaint(path, error) from None
        wanted = sum(len(body.vertices) for body in self._bodies_since(self._torn_before(i)).values())
        if len(frame) != wanted:
            raise self._complaint(path, f"holds {len(frame)} vertices where the bodies have {wanted}",
                                  "open the folder anew if it was overwritten, or run the scene again with --overwrite")
        return frame

    def body_frame(self, name: str, i: int) -> NDArray[np.float32]:
        """(n, 3) float32, positions of the vertices of one body in frame i, m; a read-only memory map."""
        bodies = self.bodies_in(i)
        if name not in bodies:
            import difflib

            near = difflib.get_close_matches(str(name), bodies, 1)
            hint = f'did you mean "{near[0]}"?' if near else f"it has {', '.join(bodies)}"
            raise ValueError(f'{self.folder}: there is no body "{name}" in this run; {hint}')
        body = bodies[name]
        return self.frame(i)[body.first_vertex:body.first_vertex + len(body.vertices)]

    @property
    def steps(self) -> NDArray[np.void]:
        """steps.csv as a structured array, a row a step: whole numbers for counts, text for `status`, float64 for the rest, NaN where a
        cell is empty. A row that is still being written is left out."""
        return self._read("steps.csv", _steps)

    @property
    def energies(self) -> tuple[str, ...]:
        """Names of the columns of `steps` that hold energies, J: `kinetic` first, `total` last."""
        names = self.steps.dtype.names
        return names[names.index("kinetic"):names.index("total") + 1]

    # As others want it.

    def to_pandas(self) -> pandas.DataFrame:
        """The steps as a DataFrame. Needs pandas."""
        from .run_exchange import to_pandas
        return to_pandas(self)

    def to_pyvista(self, i: int = -1) -> pyvista.MultiBlock:
        """Frame i as a MultiBlock: a grid a body, with its `displacement` from rest, and a surface an obstacle. Needs pyvista."""
        from .run_exchange import to_pyvista
        return to_pyvista(self, self._number(i))

    def to_meshio(self, i: int = -1) -> meshio.Mesh:
        """Frame i as one mesh, with the number of the body of each vertex in `body`. Needs meshio."""
        from .run_exchange import to_meshio
        return to_meshio(self, self._number(i))

    def plot(self, i: int = -1, ax: Any = None) -> Any:
        """Draws frame i; returns the axes, those in space that were given or new ones. Needs matplotlib, as do the others that draw."""
        from .run_plots import plot_frame
        return plot_frame(self, self._number(i), ax)

    def animate(self, frames: Iterable[int] | None = None) -> matplotlib.animation.FuncAnimation:
        """An animation of all frames, or of those numbers; in a notebook it is shown with buttons to play it."""
        from .run_plots import animate
        return animate(self, [self._number(i) for i in (range(len(self)) if frames is None else frames)])

    def plot_energy(self, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draws the energies against time; returns the axes."""
        from .run_plots import plot_energy
        return plot_energy(self, ax)

    def plot_iterations(self, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draws how many iterations each step took, in red those that did not converge; returns the axes."""
        from .run_plots import plot_iterations
        return plot_iterations(self, ax)

    # Files.

    def _frame_path(self, i):
        return self.folder / "frames" / f"{i:06}.npy"

    def _number(self, i):
        i, count = operator.index(i), len(self)
        if not -count <= i < count:
            raise IndexError(f"{self.folder}: there is no frame {i}; there are {count}")
        return i % count

    def _complaint(self, path, error, remedy="run the scene again with --overwrite"):
        if isinstance(error, FileNotFoundError):
            error = "is missing"
        return ValueError(f"{self.folder}: {path.relative_to(self.folder)}: {error}; {remedy}")

    def _read(self, name, parse):
        """What is in a file, read anew where it has changed since."""
        path = self.folder / name
        try:
            state = path.stat()
            stamp = state.st_ino, state.st_size, state.st_mtime_ns
            if self._kept.get(name, (None,))[0] != stamp:
                self._kept[name] = stamp, parse(path.read_text(encoding="utf-8"))
        except (ValueError, OSError) as error:
            raise self._complaint(path, error) from None
        return self._kept[name][1]

    def _torn_before(self, i):
        """The last frame up to i before which some body has torn; 0 where none has."""
        folder = self.folder / "bodies"
        torn = [int(name) for name in os.listdir(folder) if _TORN.fullmatch(name)] if folder.is_dir() else []
        return max((k for k in torn if k <= i), default=0)

    def _body_file(self, name, since):
        """The latest file of a body up to a frame."""
        folder = self.folder / "bodies"
        torn = sorted((entry for entry in os.listdir(folder) if _TORN.fullmatch(entry) and int(entry) <= since), key=int, reverse=True)
        return next((f"bodies/{k}/{name}.vtu" for k in torn if (folder / k / f"{name}.vtu").exists()), f"bodies/{name}.vtu")

    def _bodies_since(self, since):
        """Those of the start are kept, and those that were asked for last."""
        if since not in self._bodies:
            bodies, first = {}, 0
            for head in self.summary["bodies"]:
                file = self._body_file(head["name"], since) if since else f"bodies/{head['name']}.vtu"
                bodies[head["name"]] = self._body(head, file, first)
                first += len(bodies[head["name"]].vertices)
            self._bodies = {k: kept for k, kept in self._bodies.items() if k == 0}
            self._bodies[since] = bodies
        return self._bodies[since]

    def _body(self, head, file, first):
        path = self.folder / file
        try:
            vertices, cells, fields = run_files.read_vtu(path.read_text(encoding="utf-8"))
            if "/" not in file.removeprefix("bodies/") and len(vertices) != head["vertices"]:
                raise ValueError(f"holds {len(vertices)} vertices where summary.json says {head['vertices']}")
        except (ValueError, OSError) as error:
            raise self._complaint(path, error) from None
        origin = _locked(fields["origin"][:, 0].astype(np.int32)) if "origin" in fields else None
        color = tuple(head["color"]) if "color" in head else None
        return RunBody(head["name"], _locked(vertices), *(_locked(cells[corners]) for corners in (4, 3, 2)), first, color, origin)


def _locked(array):
    array.flags.writeable = False
    return array


def _summary(text):
    summary = json.loads(text)
    missing = [key for key in ("scene", "status", "frame_rate", "bodies") if not isinstance(summary, dict) or key not in summary]
    if missing:
        raise ValueError(f"is not the summary of a run: it has no {missing[0]!r}")
    return summary


def _steps(text):
    return _locked(run_files.read_table(text))
