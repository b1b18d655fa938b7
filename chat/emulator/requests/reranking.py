"""Answer requests for reranking: how much of a question's words a text has.

A word that few of the texts have counts more, which vectors of single texts can't know.
"""

from collections.abc import Mapping
from functools import cache
from math import log
from typing import Any

from chat.emulator.common.features import features_of
from chat.emulator.requests.problems import bad, mismatch
from chat.lib.catalogue import SHIPPED_EMBEDDINGS, Model, read_catalogue


@cache
def models() -> dict[str, Model]:
    shipped = read_catalogue(SHIPPED_EMBEDDINGS)
    return {name: model for name, model in shipped.items() if model.task == "rerank"}


def result(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result on `/ai/run`: the best texts first. Raise `Refusal`."""
    query, texts = document.get("query"), _texts(document)
    if not isinstance(query, str) or not query:
        bad("required properties at '/' are 'query,contexts'")
    most = document.get("top_k")
    if most is not None and type(most) is not int:
        mismatch("/top_k", most, "integer")
    if most is not None and most < 1:
        bad(f"'/top_k' must be >= 1, not {most}")
    scores = sorted(enumerate(_scores(query, texts)), key=lambda scored: -scored[1])
    return {"response": [{"id": place, "score": score} for place, score in scores[:most]]}


def _texts(document: Mapping[str, Any]) -> list[str]:
    contexts = document.get("contexts")
    if not isinstance(contexts, list):
        bad("required properties at '/' are 'query,contexts'")
    texts = [each.get("text") if isinstance(each, dict) else None for each in contexts]
    if not all(isinstance(text, str) and text for text in texts):
        bad("Length of '/contexts/text' must be >= 1")
    return [str(text) for text in texts]


def _scores(query: str, texts: list[str]) -> list[float]:
    """Return a score between 0 and 1 for each text."""
    wanted = features_of(query)
    found = [features_of(text).keys() & wanted.keys() for text in texts]
    rarity = {
        feature: weight**2 * log(1 + len(texts) / (1 + sum(feature in each for each in found)))
        for feature, weight in wanted.items()
    }
    total = sum(rarity.values()) or 1.0
    return [sum(map(rarity.__getitem__, each)) / total for each in found]
