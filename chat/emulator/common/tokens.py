"""Split text into pieces the size of a language model's tokens.

Joined, the pieces are exactly the text. The same text and seed give the same pieces.
"""

import re
from collections.abc import Iterator
from zlib import crc32

# A word includes the space before it. Scripts without spaces, and emoji, are split by character.
_PIECE = re.compile(
    r"""
      [^\S\n]?[^\W\d_\u2e80-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]+  # a word
    | [^\S\n]?\d{1,3}         # up to three digits
    | \n+                     # line ends
    | [^\S\n]+(?=[^\S\n])     # indentation, but its last space
    | [^\S\n]?[^\w\s]         # a mark
    | .                       # anything else
    """,
    re.VERBOSE | re.DOTALL,
)
_WHOLE_WORD_LETTERS = 7


def split(text: str, seed: int = 0) -> Iterator[str]:
    """Yield the tokens of the text, about four characters each."""
    for match in _PIECE.finditer(text):
        piece = match.group()
        if len(piece) <= _WHOLE_WORD_LETTERS or piece.isspace():
            yield piece
        else:
            yield from _sub_words(piece, seed)


def count(text: str, seed: int = 0) -> int:
    """Return the number of tokens that `split` yields."""
    return sum(1 for _ in split(text, seed))


def _sub_words(word: str, seed: int) -> Iterator[str]:
    """Split a long word into parts of 3 to 6 characters, always in the same way."""
    noise = crc32(word.encode("utf-8", "surrogatepass"), seed)
    start = 0
    while len(word) - start > 6:
        length = 3 + noise % 3
        yield word[start : start + length]
        start += length
        noise //= 3
    yield word[start:]
