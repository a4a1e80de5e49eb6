"""The project's documents: their blocks of code, their headings and their links."""
import pathlib
import re
from dataclasses import dataclass

from markdown_it import MarkdownIt

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What a block may be: commands, a session with its output, or no commands at all.
COMMANDS = {"sh", "console"}
OTHERS = {"yaml", "json", "text", "cpp", "python", "mermaid", "promql"}


@dataclass(frozen=True)
class Block:
    document: str
    line: int
    language: str
    text: str

    @property
    def name(self):
        """The document and the block's first line: what the plan calls it."""
        return f"{self.document}: {self.text.splitlines()[0].removeprefix('$ ')}"

    @property
    def place(self):
        return f"{self.document}:{self.line}"


def documents():
    folders = [each for each in ROOT.iterdir() if each.is_dir() and not each.name.startswith((".", "build"))]
    found = [*ROOT.glob("*.md"), *(file for folder in folders for file in folder.rglob("*.md"))]
    return sorted(str(file.relative_to(ROOT)) for file in found)


def tokens(document):
    return MarkdownIt("commonmark").enable("table").parse((ROOT / document).read_text())


def blocks(document):
    return [Block(document, token.map[0] + 1, token.info, token.content)
            for token in tokens(document) if token.type in ("fence", "code_block")]


def all_blocks():
    return [block for document in documents() for block in blocks(document)]


def links(document):
    """Where the document's links and images lead, with the lines of their paragraphs."""
    for token in tokens(document):
        for child in token.children or ():
            address = child.attrGet("href") or child.attrGet("src")
            if address:
                yield token.map[0] + 1 if token.map else 0, address


def anchors(document):
    """The names of the document's headings, as GitHub makes them."""
    every = tokens(document)
    titles = ["".join(child.content for child in following.children)
              for token, following in zip(every, every[1:]) if token.type == "heading_open"]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
