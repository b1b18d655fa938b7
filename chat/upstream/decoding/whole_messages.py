"""Read complete messages where a stream should have deltas: one at its end, or one per chunk."""


class WholeText:
    """Find the new text of each message: some providers repeat everything sent so far."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0

    def added_text(self, text: str) -> str:
        """Return what `text` adds.

        It is only compared if it is at least as long as the text so far, which keeps the time
        linear.
        """
        if len(text) >= self._length:
            known = "".join(self._parts)
            self._parts = [known]
            if text.startswith(known):
                text = text[self._length :]
        self._parts.append(text)
        self._length += len(text)
        return text
