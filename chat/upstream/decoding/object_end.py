"""Find the end of a JSON object that arrives in pieces, without parsing it again for each piece."""


class ObjectEnd:
    """Feed it the pieces; `is_reached` tells whether the object is complete."""

    __slots__ = ("_depth", "_is_escaped", "_is_in_string", "is_reached")

    def __init__(self) -> None:
        self.is_reached = False
        self._depth = 0
        self._is_in_string = self._is_escaped = False

    def feed(self, text: str) -> None:
        for char in text:
            if self._is_in_string:
                self._in_string(char)
            elif char == '"':
                self._is_in_string = True
            elif char in "{[":
                self._depth += 1
            elif char in "}]":
                self._depth -= 1
                self.is_reached = self._depth <= 0

    def _in_string(self, char: str) -> None:
        if self._is_escaped:
            self._is_escaped = False
        elif char == "\\":
            self._is_escaped = True
        elif char == '"':
            self._is_in_string = False
