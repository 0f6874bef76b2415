"""The notebooks of python/notebooks and the first lines of docs/python.md run from beginning to end and show what they say."""

import json
import pathlib
import textwrap

import numpy as np
import pytest
from notebook import cells_of, execute

ROOT = pathlib.Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "python/notebooks").glob("*.ipynb"))


@pytest.fixture
def played(request, tmp_path, monkeypatch):
    """The names of a notebook after its last cell, what it showed and the pictures it drew."""
    monkeypatch.chdir(tmp_path)
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    path = next(path for path in NOTEBOOKS if path.stem == request.param)
    names, shown = execute(path, pictures)
    return names, shown, sorted(pictures.iterdir())


def assert_drawn(pictures, count):
    import matplotlib.image

    assert len(pictures) == count
    for picture in pictures:
        assert np.ptp(matplotlib.image.imread(picture), axis=(0, 1)).max() > 0.5, f"{picture.name} is empty"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_kept_without_outputs(path):
    book = json.loads(path.read_text(encoding="utf-8"))
    assert book["nbformat"] == 4 and "kernelspec" in book["metadata"]
    for cell in cells_of(path):
        assert cell["cell_type"] == "markdown" or (cell["outputs"] == [] and cell["execution_count"] is None)


@pytest.mark.parametrize("played", ["first-steps"], indirect=True)
def test_first_steps(played):
    names, shown, pictures = played
    assert names["heights"][0] - min(names["heights"]) > 0.3  # m, that the free end sags
    assert names["run"].is_finished and len(names["run"]) == 49
    assert "data:image/png" in shown[-1]
    assert_drawn(pictures, 3)


@pytest.mark.parametrize("played", ["compare-integrators"], indirect=True)
def test_compare_integrators(played):
    names, _, pictures = played
    orders = names["orders"]
    assert orders["backward-euler"] == pytest.approx(1, abs=0.3)
    assert all(order > 1.5 for scheme, order in orders.items() if scheme != "backward-euler"), orders
    assert_drawn(pictures, 2)


@pytest.mark.parametrize("played", ["gripper"], indirect=True)
def test_gripper(played):
    names, _, pictures = played
    assert names["lowest"][-1] > 0.04, "it was dropped"  # m above the table
    assert_drawn(pictures, 2)


def test_the_first_lines_of_the_page(tmp_path, monkeypatch):
    import matplotlib

    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    lines = (ROOT / "docs/python.md").read_text(encoding="utf-8").splitlines()[1:]
    block = lines[:next(k for k, line in enumerate(lines) if line and not line.startswith("    "))]
    names = {}
    exec(textwrap.dedent("\n".join(block)).replace("run.animate()", "shown = run.animate(range(0, 49, 24))"), names)
    assert names["run"].is_finished and "data:image/png" in names["shown"]._repr_html_()
