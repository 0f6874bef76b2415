"""Runs for pandas, pyvista and meshio, which are imported when they are asked for."""

import numpy as np


def to_pandas(run):
    import pandas

    return pandas.DataFrame(run.steps)


def to_pyvista(run, i):
    import pyvista

    blocks = pyvista.MultiBlock()
    for name, body in run.bodies_in(i).items():
        positions = np.array(run.body_frame(name, i))
        kinds = {pyvista.CellType.TETRA: body.tets, pyvista.CellType.TRIANGLE: body.triangles, pyvista.CellType.LINE: body.edges}
        grid = pyvista.UnstructuredGrid({kind: cells for kind, cells in kinds.items() if len(cells)}, positions)
        grid.point_data["displacement"] = (positions - body.vertices).astype(np.float32)
        if body.origin is not None:
            grid.point_data["origin"] = body.origin
        blocks[name] = grid
    for name, obstacle in run.obstacles.items():
        # A body and an obstacle may share a name.
        blocks[name if name not in blocks.keys() else f"obstacle {name}"] = pyvista.PolyData.from_regular_faces(
            obstacle.frame(i).astype(np.float32), obstacle.triangles)
    return blocks


def to_meshio(run, i):
    import meshio

    bodies = list(run.bodies_in(i).values())
    cells = []
    for kind, of in (("tetra", "tets"), ("triangle", "triangles"), ("line", "edges")):
        all_cells = np.concatenate([getattr(body, of) + body.first_vertex for body in bodies])
        if len(all_cells):
            cells.append((kind, all_cells))
    number = np.repeat(np.arange(len(bodies), dtype=np.int32), [len(body.vertices) for body in bodies])
    return meshio.Mesh(np.array(run.frame(i)), cells, point_data={"body": number})
