"""Executes notebooks without Jupyter: code cells in order in one namespace, what a cell ends with shown as Jupyter would."""

import ast
import html
import json


def cells_of(path):
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def execute(path, pictures):
    """Runs all code cells; returns their namespace and what they show, in HTML. Figures go to the folder `pictures`."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.close("all")
    names, shown = {"__name__": "__main__"}, []
    for number, cell in enumerate(cells_of(path)):
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]), f"{path.name}, cell {number}")
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"{path.name}, cell {number}", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"{path.name}, cell {number}", "eval"), names)
            if value is not None:
                shown.append(value._repr_html_() if hasattr(value, "_repr_html_") else html.escape(repr(value)))
        for figure in map(plt.figure, plt.get_fignums()):
            figure.savefig(pictures / f"{path.stem}-{number}-{figure.number}.png", dpi=60)
        plt.close("all")
    return names, shown
