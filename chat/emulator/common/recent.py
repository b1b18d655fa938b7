"""Provide a dict that drops its oldest entries, so that a long-running emulator does not grow."""

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(dict[K, V]):
    """Keep the entries set most recently, at most `limit` of them."""

    def __init__(self, limit: int = 1000) -> None:
        super().__init__()
        self._limit = limit

    def __setitem__(self, key: K, value: V) -> None:
        self.pop(key, None)
        super().__setitem__(key, value)
        if len(self) > self._limit:
            del self[next(iter(self))]
