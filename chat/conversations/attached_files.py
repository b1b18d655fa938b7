"""Find the files at the end of a question, where the page attaches them.

A text file is a line with its name and a colon, and a fenced block whose language is the name's
extension, or "file" if it has none. If the file itself is kept, ` file:` and its digest follow the
language. An image is a line with its name and the digest of its bytes: `![name](image:digest)`.
static/js/lib/text_files.js does the same.
"""

import itertools
import re
from bisect import bisect_left
from collections import defaultdict
from typing import NamedTuple

MAX_NAME_CHARS = 255
EXTENSION = re.compile(r"\.([A-Za-z0-9]{1,12})$")
OPENING = re.compile(r"(`{3,})([a-z0-9]{1,12})(?: file:([0-9a-f]{32}))?")
FENCES = re.compile(r"^ {0,3}(`{3,})", re.MULTILINE)
CLOSING = re.compile(r"`{3,}")
NO_EXTENSION = "file"
IMAGE = re.compile(r"!\[([^\n\r\u2028\u2029]{0,255})\]\(image:([0-9a-f]{32})\)")


class AttachedFile(NamedTuple):
    """A file, and its part of the question: the line with its name, and the fenced block.

    `image` is an image's digest; empty for a text file. `original` is the digest of the file that
    the text was read from; empty if none was kept.
    """

    name: str
    block: str
    image: str = ""
    original: str = ""

    @property
    def text_block(self) -> str:
        """Return the block without the reference to the original."""
        return self.block.replace(f" file:{self.original}\n", "\n", 1)


class Question(NamedTuple):
    """A question in its parts, which together are its text."""

    text: str
    files: tuple[AttachedFile, ...] = ()


def split_files(text: str) -> Question:
    """Return what the person wrote, and the files attached to it."""
    if "`" * 3 not in text and "](image:" not in text:
        return Question(text)
    lines = text.split("\n")
    closings: defaultdict[str, list[int]] = defaultdict(list)
    for number, line in enumerate(lines):
        if CLOSING.fullmatch(line):
            closings[line].append(number)
    content_end = next(end for end in range(len(lines), 0, -1) if lines[end - 1])
    start = 0
    while start < len(lines):
        ends = _blocks_from(lines, closings, start)
        if ends and ends[-1] >= content_end:  # only empty lines follow
            return _parts(lines, [start, *ends])
        start = ends[-1] if ends else start + 1
    return Question(text)


def file_block(name: str, text: str, original: str = "") -> str:
    """Return the part of a question for a text file. The fence is longer than any in the text."""
    title = _title(name)
    fence = "`" * (max(map(len, FENCES.findall(text)), default=2) + 1)
    end = "" if text.endswith("\n") or not text else "\n"
    reference = f" file:{original}" if original else ""
    return f"{title}:\n{fence}{_language(title)}{reference}\n{text}{end}{fence}\n"


def image_line(name: str, digest: str) -> str:
    """Return the part of a question for an image."""
    return f"![{_title(name)}](image:{digest})\n"


def image_digests(text: str) -> list[str]:
    """Return the digests of the images attached to a question, each once."""
    if "](image:" not in text:
        return []
    return list(dict.fromkeys(each.image for each in split_files(text).files if each.image))


def original_digests(text: str) -> list[str]:
    """Return the digests of the originals of a question's files, each once."""
    if " file:" not in text:
        return []
    return list(dict.fromkeys(each.original for each in split_files(text).files if each.original))


def without_originals(text: str) -> str:
    """Return a question without references to the originals of its files."""
    if not original_digests(text):
        return text
    question = split_files(text)
    return question.text + "".join(each.text_block for each in question.files)


def with_image_notes(text: str) -> str:
    """Return a question with a note in place of each image, for readers elsewhere."""
    text = without_originals(text)
    if not image_digests(text):
        return text
    question = split_files(text)
    notes = (f"[image: {each.name}]\n" if each.image else each.block for each in question.files)
    return (question.text + "".join(notes)).rstrip("\n")


def _blocks_from(lines: list[str], closings: dict[str, list[int]], start: int) -> list[int]:
    """Return where each of the blocks ends that follow one another from a line on."""
    ends = []
    while end := _block_end(lines, closings, start):
        ends.append(end)
        start = end
    return ends


def _block_end(lines: list[str], closings: dict[str, list[int]], start: int) -> int:
    """Return the line after the file that begins there; 0 if none does."""
    if start < len(lines) and IMAGE.fullmatch(lines[start]):
        return start + 1
    if start + 2 >= len(lines) or not lines[start].endswith(":"):
        return 0
    name, opening = lines[start][:-1], OPENING.fullmatch(lines[start + 1])
    if not name or len(name) > MAX_NAME_CHARS or not opening or opening[2] != _language(name):
        return 0
    ends = closings.get(opening[1], [])
    place = bisect_left(ends, start + 2)
    return ends[place] + 1 if place < len(ends) else 0


def _title(name: str) -> str:
    return " ".join(name.split())[-MAX_NAME_CHARS:].strip() or NO_EXTENSION


def _language(name: str) -> str:
    extension = EXTENSION.search(name)
    return extension[1].lower() if extension else NO_EXTENSION


def _parts(lines: list[str], bounds: list[int]) -> Question:
    """Return the question, split before the lines `bounds`; each part keeps its last line's end."""
    written = "".join(f"{line}\n" for line in lines[: bounds[0]])
    bounds[-1] = len(lines)
    files = []
    for start, end in itertools.pairwise(bounds):
        is_last = end == len(lines)
        block = "\n".join(lines[start:end]) + ("" if is_last else "\n")
        image = IMAGE.fullmatch(lines[start])
        if image:
            files.append(AttachedFile(image[1], block, image=image[2]))
        else:
            opening = OPENING.fullmatch(lines[start + 1])
            original = (opening and opening[3]) or ""
            files.append(AttachedFile(lines[start][:-1], block, original=original))
    return Question(written, tuple(files))
