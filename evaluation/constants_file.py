"""Files of constants, as `slaq` takes them by --constants, and the source that the product is built with."""
import itertools
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE / "constants"
SOURCE = HERE.parent / "src/forecast/ensemble/fitted_constants.cpp"
SHAPES = ("Hyperbola", "Power")
VIEWS = ("Points4", "Points8", "Points33", "Points66", "Blocks8", "Blocks32", "Blocks66", "Blocks95")
FLOORS = ("Known", "Likely", "Near", "Bent", "Far")
# As evaluation/scoring/candidates.h numbers them.
EXPERTS = [("Level",), *itertools.product(SHAPES, VIEWS, FLOORS)]


def candidates():
    """All experts but the one that expects no change."""
    return range(1, len(EXPERTS))


def _fields(expert):
    return ", ".join(f"{key}: {value}" for key, value in zip(("shape", "view", "floor"), EXPERTS[expert]))


def text(curve, table):
    lines = ["# Made by evaluation/fit_constants.py: do not edit.",
             f"firstCurve: [{', '.join(f'{level:g}' for level in curve)}]", "experts:",
             *(f"  - {{{_fields(expert)}}}" for expert in table)]
    return "\n".join(lines) + "\n"


def write(path, curve, table):
    path.write_text(text(curve, table))


def read(path):
    """(curve, table) of a file that write() made."""
    said = path.read_text()
    curve = [float(level) for level in re.search(r"firstCurve: \[(.*)\]", said)[1].split(",")]
    table = [EXPERTS.index(tuple(re.findall(r": (\w+)", line))) for line in re.findall(r"- \{(.*)\}", said)]
    return curve, table


def _initializer(expert):
    if expert == 0:
        return "{.shape = Shape::Level}"
    shape, view, floor = EXPERTS[expert]
    return f"{{Shape::{shape}, View::{view}, Floor::{floor}}}"


def with_constants(source, curve, table):
    """The source with these constants in the place of its own."""
    experts = "".join(f"          {_initializer(expert)},\n" for expert in table)
    source = re.sub(r"(\.experts = \{\{\n).*?(      \}\})", lambda found: found[1] + experts + found[2], source,
                    flags=re.S)
    levels = ", ".join(f"{level:g}" for level in curve)
    return re.sub(r"\.firstCurve = \{.*?\}", f".firstCurve = {{{levels}}}", source, flags=re.S)


def write_source(path):
    SOURCE.write_text(with_constants(SOURCE.read_text(), *read(path)))
