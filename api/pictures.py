"""Pictures of what was measured, as PNG in the page's colours. Needs matplotlib, which playing does not."""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot
from matplotlib.figure import Figure

INK, LACQUER, PAPER = "#2b2622", "#a3332b", "#f4ecd8"


def save(figure: Figure, file: Path) -> None:
    """Writes a picture, and forgets it."""
    figure.patch.set_facecolor(PAPER)
    for axes in figure.axes:
        axes.set_facecolor(PAPER)
    figure.savefig(file, dpi=110, bbox_inches="tight")
    pyplot.close(figure)
