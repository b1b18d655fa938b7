"""Answer requests for embeddings: vectors that depend on the text only, of length 1."""

import math
import random
import struct
from collections.abc import Mapping
from functools import cache
from typing import Any

from chat.emulator.common import tokens
from chat.emulator.common.faults import Refusal
from chat.emulator.requests.problems import bad
from chat.lib.catalogue import SHIPPED_EMBEDDINGS, Model, read_catalogue

DIMENSIONS = {"@cf/baai/bge-small-en-v1.5": 384, "@cf/baai/bge-base-en-v1.5": 768}
OTHER_DIMENSIONS = 1024
MAX_TEXTS = 100


@cache
def models() -> dict[str, Model]:
    return read_catalogue(SHIPPED_EMBEDDINGS)


def answer(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `/ai/v1/embeddings` answers. Raise `Refusal`."""
    model = document.get("model")
    if not isinstance(model, str) or model not in models():
        raise Refusal("5007", model=model)
    texts = document.get("input")
    texts = [texts] if isinstance(texts, str) else texts
    if not isinstance(texts, list) or not texts or not all(isinstance(t, str) for t in texts):
        bad("required properties at '/' are 'input'")
    if len(texts) > MAX_TEXTS:
        bad(f"Length of '/input' must be <= {MAX_TEXTS}")
    count = sum(map(tokens.count, texts))
    data = [
        {"object": "embedding", "index": index, "embedding": _vector(model, text)}
        for index, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": count, "total_tokens": count}
    return {"object": "list", "data": data, "model": model, "usage": usage}


def native_result(model: str, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result on `/ai/run`, whose input is `text`. Raise `Refusal`."""
    request = {"model": model, "input": document.get("text")}
    vectors = [each["embedding"] for each in answer(request)["data"]]
    return {"shape": [len(vectors), len(vectors[0])], "data": vectors, "pooling": "cls"}


def _vector(model: str, text: str) -> list[float]:
    count = DIMENSIONS.get(model, OTHER_DIMENSIONS)
    noise = random.Random(f"{model} {text}").randbytes(2 * count)
    numbers = struct.unpack(f"{count}h", noise)
    length = math.hypot(*numbers)
    return [number / length for number in numbers]
