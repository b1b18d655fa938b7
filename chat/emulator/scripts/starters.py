"""Suggest first messages for an empty page."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Starter:
    """A first message to suggest on an empty page."""

    title: str
    prompt: str


STARTERS: tuple[Starter, ...] = (
    Starter("Ask a simple question", "Why do rivers bend?"),
    Starter("Get a long answer", "/long 1200"),
    Starter("See all formatting", "/markdown"),
    Starter("Watch it think first", "/think 150"),
    Starter("Simulate a lost connection", "/cut 40"),
    Starter("See what else it can do", "/help"),
)
