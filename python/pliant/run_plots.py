"""Draws runs with matplotlib, which is imported when it is asked for."""

import numpy as np

_SHOWN = 1e-12  # of the largest: energies that never get this far are left out
_OBSTACLE = (0.6, 0.6, 0.6, 0.35)
_FACES, _CELLS = 2000, 12  # of an obstacle that is drawn as it is; along the longest side of one that is drawn more coarsely
_LIGHT = np.array([0.4, 0.8, 0.45])  # where light comes from


def plot_energy(run, ax=None):
    ax = ax or _axes()
    steps, start = run.steps, run.summary["start"]
    times = np.append(0.0, steps["time"])
    curves = {name: np.append(start.get(name, np.nan), steps[name]) for name in run.energies}
    largest = max(np.nanmax(np.abs(curve)) for curve in curves.values())
    for name, curve in curves.items():
        if name == "total":
            ax.plot(times, curve, label=name, color="black", linewidth=1.8)
        elif np.nanmax(np.abs(curve)) > _SHOWN * largest:
            ax.plot(times, curve, label=name)
    ax.set(xlabel="time (s)", ylabel="energy (J)", title=run.name)
    ax.legend()
    return ax


def plot_iterations(run, ax=None):
    ax = ax or _axes()
    steps = run.steps
    good = np.isin(steps["status"], ["converged", "converged-to-roundoff", "as-asked"])
    ax.stairs(steps["iterations"], np.append(0.0, steps["time"]), label="iterations")
    if not good.all():
        ax.plot(steps["time"][~good], steps["iterations"][~good], "o", color="tab:red", label="not converged")
        ax.legend()
    ax.set(xlabel="time (s)", ylabel="iterations a step", title=run.name)
    ax.set_ylim(bottom=0)
    return ax


def plot_frame(run, i, ax=None):
    ax = ax or _space(*_bounds(run, [i]))
    _draw(run, i, ax)
    return ax


def animate(run, numbers):
    import matplotlib.pyplot as plt
    from matplotlib.animation import FuncAnimation

    ax = _space(*_bounds(run, numbers))
    ax.figure.draw_without_rendering()
    ax.figure.set_layout_engine("none")  # so that the axes stay where they are
    drawn = []

    def show(i):
        while drawn:
            drawn.pop().remove()
        drawn.extend(_draw(run, i, ax))
        return drawn

    # Frames that were left out are not waited for: the whole takes as long as what it shows.
    pause = 1000 / run.frame_rate
    if len(numbers) > 1:
        pause *= abs(numbers[-1] - numbers[0]) / (len(numbers) - 1)
    animation = FuncAnimation(ax.figure, show, frames=numbers, interval=pause, init_func=lambda: [])
    animation._repr_html_ = animation.to_jshtml
    plt.close(ax.figure)  # or a notebook shows it as a picture too
    return animation


def _axes():
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(7, 4), layout="constrained")[1]


def _bounds(run, numbers):
    """The corners of a box around all bodies in these frames, and around obstacles as far as they are close."""
    low = np.min([np.min(run.frame(i), axis=0) for i in numbers], axis=0)
    high = np.max([np.max(run.frame(i), axis=0) for i in numbers], axis=0)
    reach = 0.3 * np.max(high - low)
    least, most = low - reach, high + reach
    for obstacle in run.obstacles.values():
        for i in numbers if not obstacle.unbounded else []:
            x = obstacle.frame(i)
            low, high = np.minimum(low, np.maximum(x.min(axis=0), least)), np.maximum(high, np.minimum(x.max(axis=0), most))
    return low, high


def _space(low, high):
    """Axes in space with y upwards, of equal scale."""
    import matplotlib.pyplot as plt
    from matplotlib.ticker import MaxNLocator

    ax = plt.figure(figsize=(7, 5), layout="constrained").add_subplot(projection="3d", proj_type="persp", computed_zorder=False)
    ax.view_init(elev=18, azim=25, vertical_axis="y")
    # What is flat gets room all the same.
    middle, half = (low + high) / 2, (high - low) / 2
    half = np.maximum(1.05 * half, 0.4 * max(half.max(), 1e-9))
    for letter, axis, center, reach in zip("xyz", (ax.xaxis, ax.yaxis, ax.zaxis), middle, half):
        axis.set_major_locator(MaxNLocator(4))
        ax.set(**{f"{letter}lim": (center - reach, center + reach), f"{letter}label": f"{letter} (m)"})
    ax.set_box_aspect(half, zoom=0.9)  # after the view, which says what is upwards
    return ax


def _draw(run, i, ax):
    """Adds the bodies and obstacles of a frame; returns what was added. Bodies lie above obstacles, so that none hides them."""
    from matplotlib.colors import to_rgb
    from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

    triangles, colors, strands = [], [], []
    for k, (name, body) in enumerate(run.bodies_in(i).items()):
        x, color = np.asarray(run.body_frame(name, i)), to_rgb(body.color or f"C{k % 10}")
        if len(body.surface):
            triangles.append(x[body.surface])
            colors.append(np.tile(color, (len(body.surface), 1)))
        elif len(body.edges):
            strands.append(Line3DCollection(x[body.edges], colors=color, zorder=2))
    added = [Poly3DCollection(faces, facecolors=_OBSTACLE, zorder=0) for faces in _faces_of_obstacles(run, i, ax) if len(faces)]
    if triangles:  # in one collection, since only within one what is nearer hides what is farther
        added.append(_lit(np.concatenate(triangles), np.concatenate(colors)))
    for collection in added + strands:
        ax.add_collection3d(collection, autolim=False)
    return added + strands


def _lit(triangles, colors):
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    brightness = 0.65 + 0.35 * normals @ _LIGHT
    lit = np.clip(colors * brightness[:, None], 0, 1)
    # Edges of the same colour close the gaps that smoothing leaves between faces.
    return Poly3DCollection(triangles, facecolors=lit, edgecolors=lit, linewidths=0.5, zorder=1)


def _faces_of_obstacles(run, i, ax):
    """Of each obstacle its faces in frame i; what has no end is cut off where the axes end."""
    low, high = np.transpose([ax.get_xlim(), ax.get_ylim(), ax.get_zlim()])
    for obstacle in run.obstacles.values():
        faces = obstacle.frame(i)[_coarse(obstacle.vertices, obstacle.triangles)]
        if obstacle.unbounded:
            faces = [part for face in faces if len(part := _inside(face, low, high)) > 2]
        yield faces


def _coarse(vertices, triangles):
    """Fewer triangles where there are more than matplotlib draws in good time: of the vertices in a cell of a grid the outermost stands for
    all, so that corners stay."""
    if len(triangles) <= _FACES:
        return triangles
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    cells = ((vertices - low) / (np.max(high - low) / _CELLS)).astype(int) @ [1, 4 * _CELLS, 16 * _CELLS**2]
    order = np.lexsort((-np.linalg.norm(vertices - (low + high) / 2, axis=1), cells))
    outermost = order[np.unique(cells[order], return_index=True)[1]]
    moved = outermost[np.unique(cells, return_inverse=True)[1]][triangles]
    moved = moved[(moved != np.roll(moved, 1, axis=1)).all(axis=1)]
    first = np.argmin(moved, axis=1)[:, None]  # so that the same triangle is found to be the same
    return np.unique(np.take_along_axis(moved, (first + [0, 1, 2]) % 3, axis=1), axis=0)


def _inside(polygon, low, high):
    """The part of a convex polygon in a box, by Sutherland and Hodgman: one side of the box after the other cuts it."""
    for k in range(3):
        for side, bound in ((1, low[k]), (-1, high[k])):
            height = side * (polygon[:, k] - bound)
            kept = []
            for a in range(len(polygon)):
                b = (a + 1) % len(polygon)
                if height[a] >= 0:
                    kept.append(polygon[a])
                if (height[a] >= 0) != (height[b] >= 0):
                    kept.append(polygon[a] + height[a] / (height[a] - height[b]) * (polygon[b] - polygon[a]))
            polygon = np.array(kept).reshape(-1, 3)
    return polygon
