"""Markdown: tables, figures rounded for people, and their places in a document."""
import math
import re


def table(heads, rows):
    """Markdown; the first column to the left, figures to the right."""
    lines = ["| " + " | ".join(heads) + " |", "|---|" + "---:|" * (len(heads) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def number(value):
    """Three digits, at least those before the point."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    return f"{value:.{max(0, 2 - math.floor(math.log10(abs(value))))}f}"


def plus_minus(value, form=number):
    return form(value.mean) if math.isnan(value.half) else f"{form(value.mean)} ± {form(value.half)}"


def put(text, name, content):
    """The document with that table in its place."""
    place = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", re.S)
    if not place.search(text):
        raise ValueError(f"the document has no place for the table '{name}'")
    return place.sub(lambda found: f"{found[1]}{content}\n{found[2]}", text)
