"""The package itself: what it says of its build, its words, and the example of the front page."""

import re
import subprocess
import sys
from pathlib import Path

import pliant
import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_it_says_what_it_was_made_of():
    info = pliant.build_info()
    assert re.fullmatch(r"\d+\.\d+\.\d+", info["version"]) and pliant.__version__ == info["version"]
    assert info["factorisation"].startswith("CHOLMOD") == info["cholmod"]
    assert "-ffp-contract=off" in info["flags"]


def test_all_that_is_promised_is_there_and_explained():
    for name in pliant.__all__:
        if name == "Run":
            continue
        assert getattr(pliant, name).__doc__, name
    with pytest.raises(AttributeError, match="nothing"):
        pliant.nothing  # noqa: B018


def test_importing_it_imports_little():
    code = "import sys, pliant; print(*(n for n in ('scipy', 'pandas', 'matplotlib') if n in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_types_are_stated():
    folder = Path(pliant.__file__).parent
    assert (folder / "py.typed").exists()
    stub = (folder / "_core.pyi").read_text()
    compile(stub, "_core.pyi", "exec")
    assert "def step(self, dt: float | None = None, check: bool = False) -> StepReport" in stub
    assert "def x(self) -> numpy.typing.NDArray[numpy.float64]" in stub


def examples():
    """The Python of the README and of the package's own docstring."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"(?:^(?:    .*)?\n)+", readme, flags=re.MULTILINE)
    yield from (block for block in blocks if "import pliant\n" in block)
    yield pliant.__doc__.split("\n\n", 1)[1].split("\nUnits")[0]


@pytest.mark.parametrize("example", list(examples()), ids=["README", "docstring"])
def test_examples_run(example, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [line[4:] for line in example.splitlines()]
    exec(compile("\n".join(lines), "example", "exec"), {})  # noqa: S102
