"""Divide text that browsers take minutes to lay out.

The time grows with the square of the characters without a place for a line break (of combining
marks, Thai or Arabic letters), and with the square of the changes of direction in a line. Nothing
is left out. `static/js/lib/breakable_text.js` does the same for what scripts show.
"""

import re
from collections.abc import Iterator

#: Characters after which a line may be broken although nothing else allows it. No language has such
#: words.
MAX_RUN_LENGTH = 250
#: Characters of a line that contains letters or controls of right-to-left text, beyond which
#: another line begins.
MAX_LINE_LENGTH = 5_000

_LONG_RUN = re.compile(rf"(?<![^ \n\t])[^ \n\t]{{{MAX_RUN_LENGTH + 1},}}")
_PART_OF_RUN = re.compile(rf".{{1,{MAX_RUN_LENGTH}}}", re.DOTALL)
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufefc"
    "\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_LONG_LINE = re.compile(rf"^[^\n]{{{MAX_LINE_LENGTH + 1}}}", re.MULTILINE)
#: A long line is divided after a space near the end of the part, if there is one.
_LINE = re.compile(
    rf"(?:[^\n]{{{MAX_LINE_LENGTH - 1000},{MAX_LINE_LENGTH}}}(?<= )"
    rf"|[^\n]{{1,{MAX_LINE_LENGTH}}})\n*|\n+"
)


def breakable(text: str) -> list[list[str]]:
    """Return the lines, almost always one, each in parts between which it may be broken."""
    return [list(_parts(line)) for line in _lines(text)]


def _lines(text: str) -> list[str]:
    is_long = len(text) > MAX_LINE_LENGTH and not text.isascii()
    if is_long and _RIGHT_TO_LEFT.search(text) and _LONG_LINE.search(text):
        return _LINE.findall(text)
    return [text]


def _parts(text: str) -> Iterator[str]:
    begun = 0
    for run in _LONG_RUN.finditer(text):
        for part in _PART_OF_RUN.finditer(text, run.start(), run.end()):
            yield text[begun : part.end()]
            begun = part.end()
    if begun < len(text) or not text:
        yield text[begun:]
