"""Whole messages where a stream should have deltas: one at its end, or one in each chunk."""


class WholeText:
    """What is new in each message: some services repeat all that was said so far."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0

    def news(self, text: str) -> str:
        """Return what `text` adds. It is compared where it is the longer one, so time is linear."""
        if len(text) >= self._length:
            known = "".join(self._parts)
            self._parts = [known]
            if text.startswith(known):
                text = text[self._length :]
        self._parts.append(text)
        self._length += len(text)
        return text
