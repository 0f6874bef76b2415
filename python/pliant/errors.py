"""What can go wrong, besides ValueError for wrong input and OSError for a disk that fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._core import StepReport


class PliantWarning(UserWarning):
    """What the library has to say about a scene or a run."""


class NotConverged(RuntimeError):
    """A step did not converge; `report` says how it went."""

    def __init__(self, message: str, report: StepReport) -> None:
        super().__init__(message)
        self.report = report
