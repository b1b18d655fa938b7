"""Answer requests for embeddings: vectors of length 1, near each other for texts of similar words.

Vectors of different models can't be compared, as with real ones.
"""

import math
from collections.abc import Mapping
from functools import cache
from typing import Any
from zlib import crc32

from chat.emulator.common import tokens
from chat.emulator.common.faults import Refusal
from chat.emulator.common.features import features_of, vector_of
from chat.emulator.requests.problems import bad
from chat.lib.catalogue import SHIPPED_EMBEDDINGS, Model, read_catalogue

DIMENSIONS = {"@cf/baai/bge-small-en-v1.5": 384, "@cf/baai/bge-base-en-v1.5": 768}
OTHER_DIMENSIONS = 1024
MAX_TEXTS = 100


@cache
def models() -> dict[str, Model]:
    shipped = read_catalogue(SHIPPED_EMBEDDINGS)
    return {name: model for name, model in shipped.items() if not model.task}


def answer(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `/ai/v1/embeddings` answers. Raise `Refusal`."""
    name = document.get("model")
    model = models().get(name) if isinstance(name, str) else None
    if model is None:
        raise Refusal("5007", model=name)
    texts = document.get("input")
    texts = [texts] if isinstance(texts, str) else texts
    if not isinstance(texts, list) or not texts or not all(isinstance(t, str) for t in texts):
        bad("required properties at '/' are 'input'")
    most = model.max_texts or MAX_TEXTS
    if len(texts) > most:
        bad(f"Length of '/input' must be <= {most}")
    count = sum(map(tokens.count, texts))
    data = [
        {"object": "embedding", "index": index, "embedding": _vector(model.id, text)}
        for index, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": count, "total_tokens": count}
    return {"object": "list", "data": data, "model": model.id, "usage": usage}


def native_result(model: str, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result on `/ai/run`, whose input is `text`. Raise `Refusal`."""
    request = {"model": model, "input": document.get("text")}
    vectors = [each["embedding"] for each in answer(request)["data"]]
    return {"shape": [len(vectors), len(vectors[0])], "data": vectors, "pooling": "cls"}


def _vector(model: str, text: str) -> list[float]:
    seed = crc32(model.encode())
    # A text without words, such as a row of marks, is a feature of its own.
    features = features_of(text, seed) or {crc32(text.encode("utf-8", "surrogatepass"), seed): 1.0}
    vector = vector_of(features, DIMENSIONS.get(model, OTHER_DIMENSIONS))
    length = math.hypot(*vector)
    return [number / length for number in vector]
