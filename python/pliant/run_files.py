"""Reads the files of a run folder with numpy alone: bodies (.vtu as runs write them), obstacles (.obj), frames (.npy), tables (.csv).

Every function takes the text or the path of one file and raises ValueError that says what is wrong in it; `Run` adds which file it was.
"""

import os

import numpy as np

# Columns of steps.csv that count something. The energies beside them can look like whole numbers too, so names decide.
COUNTS = frozenset("frame step iterations linear_solves local_solves cg_iterations evaluations indefinite fallbacks inverted contacts".split())

_CORNERS = {10: 4, 5: 3, 3: 2}  # of VTK's tetrahedra, triangles and lines


def read_vtu(text):
    """(vertices, {corners of a cell: cells}, {name: field}) of an unstructured grid whose numbers stand in it as text."""
    import xml.etree.ElementTree as xml  # here, as it is slow to import

    try:
        piece = xml.fromstring(text).find("UnstructuredGrid/Piece")
    except xml.ParseError as error:
        raise ValueError(f"is damaged: {error}") from None
    if piece is None:
        raise ValueError("holds no unstructured grid")
    vertices = _numbers(piece, "Points/DataArray", float).reshape(-1, 3)
    if len(vertices) != int(piece.get("NumberOfPoints", -1)):
        raise ValueError("holds fewer or more vertices than it says")
    fields = {}
    for array in piece.findall("PointData/DataArray"):
        fields[array.get("Name")] = _split(array, float).reshape(len(vertices), -1)
    return vertices, _cells(piece, len(vertices)), fields


def _cells(piece, vertices):
    """{corners of a cell: cells}."""
    corners = _numbers(piece, "Cells/DataArray[@Name='connectivity']", np.int32)
    ends = _numbers(piece, "Cells/DataArray[@Name='offsets']", np.int64)
    types = _numbers(piece, "Cells/DataArray[@Name='types']", np.uint8)
    if len(types) != len(ends) or (len(ends) and ends[-1] != len(corners)):
        raise ValueError("holds fewer or more cells than it says")
    if len(corners) and not (0 <= corners.min() and corners.max() < vertices):
        raise ValueError("has cells with corners that are no vertices")
    unknown = set(types.tolist()) - set(_CORNERS)
    if unknown:
        raise ValueError(f"has cells of other kinds than tetrahedra, triangles and lines: {sorted(unknown)}")
    cells = {}
    for kind, count in _CORNERS.items():
        chosen = ends[types == kind]
        if (np.diff(ends, prepend=0)[types == kind] != count).any():
            raise ValueError("has cells with fewer or more corners than their kind has")
        cells[count] = corners[(chosen[:, None] - count + np.arange(count)).reshape(-1, count)]
    return cells


def _numbers(piece, path, dtype):
    array = piece.find(path)
    if array is None:
        raise ValueError(f"has no {path}")
    return _split(array, dtype)


def _split(array, dtype):
    if array.get("format") != "ascii":
        raise ValueError("holds its numbers as bytes, which runs do not write")
    return np.array((array.text or "").split(), dtype)


def read_obj(text):
    """(vertices, triangles) of a surface."""
    vertices, triangles = [], []
    for line in text.splitlines():
        word, *numbers = line.split() or [""]
        if word == "v":
            vertices.append(numbers[:3])
        elif word == "f":
            triangles.append(numbers)
    vertices = np.array(vertices, float).reshape(-1, 3)
    triangles = np.array(triangles, np.int32).reshape(-1, 3) - np.int32(1)
    if len(triangles) and not (0 <= triangles.min() and triangles.max() < len(vertices)):
        raise ValueError("has triangles with corners that are no vertices")
    return vertices, triangles


def read_frame(path):
    """The positions of a frame, (n, 3) float32, as a memory map that cannot be written to."""
    try:
        frame = np.lib.format.open_memmap(path, mode="r")
    except (ValueError, EOFError) as error:
        raise ValueError(f"is damaged or cut off: {error}") from None
    if frame.dtype != np.dtype("<f4") or frame.ndim != 2 or frame.shape[1] != 3:
        raise ValueError(f"holds {frame.dtype} numbers of shape {frame.shape} where frames have float32 numbers of shape (n, 3)")
    if os.path.getsize(path) != frame.offset + frame.nbytes:
        raise ValueError(f"holds more than its {len(frame)} vertices")
    return frame


def read_table(text):
    """A table with a head as a structured array; a last line without its end is still being written and is left out."""
    lines = text[:text.rfind("\n") + 1].splitlines()
    names = lines[0].split(",") if lines else []
    if "time" not in names and "frame" not in names:
        raise ValueError("has no head that says what its columns are")
    rows = [line.split(",") for line in lines[1:]]
    for number, row in enumerate(rows, 2):
        if len(row) != len(names):
            raise ValueError(f"line {number} has {len(row)} columns where the head has {len(names)}")
    columns = [_column(name, fields) for name, fields in zip(names, zip(*rows) if rows else [()] * len(names))]
    table = np.empty(len(rows), [(name, column.dtype) for name, column in zip(names, columns)])
    for name, column in zip(names, columns):
        table[name] = column
    return table


def read_poses(text):
    """Where obstacles are, a row an obstacle and frame."""
    poses = read_table(text)
    for name in ("name", "turn_w", "turn_x", "turn_y", "turn_z", "shift_x", "shift_y", "shift_z"):
        if name not in poses.dtype.names:
            raise ValueError(f"has no column {name}")
    return poses


def _column(name, fields):
    if name in COUNTS and "" not in fields:
        kind = np.int64
    elif name in ("status", "name"):
        return np.array(fields, str) if fields else np.empty(0, "U1")
    else:
        kind = float
        fields = [field or "nan" for field in fields]
    try:
        return np.array(fields, kind)
    except ValueError:
        number = next(i for i, field in enumerate(fields, 2) if not _is_number(field, kind))
        raise ValueError(f"line {number}: column {name} holds {fields[number - 2]!r} where a number belongs") from None


def _is_number(field, kind):
    try:
        return kind(field) is not None
    except ValueError:
        return False
