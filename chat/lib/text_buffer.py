"""Collect a long text from many short pieces, in little memory."""

#: Pieces to collect before they are joined: a string of its own takes 50 bytes more than its text.
PIECES_PER_BLOCK = 32


class TextBuffer:
    """A text that only grows; `str` returns it. It is true once it has a piece."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._pieces: list[str] = []

    def append(self, piece: str) -> None:
        self._pieces.append(piece)
        if len(self._pieces) == PIECES_PER_BLOCK:
            self._blocks.append("".join(self._pieces))
            self._pieces.clear()

    def __bool__(self) -> bool:
        return bool(self._pieces or self._blocks)

    def __str__(self) -> str:
        return "".join(self._blocks) + "".join(self._pieces)
