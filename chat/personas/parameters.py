"""Define the parameters of models, with the ranges of Workers AI's schema."""

from typing import NamedTuple


class Range(NamedTuple):
    least: float
    most: float
    is_whole: bool = False


RANGES = {
    "temperature": Range(0, 5),
    "top_p": Range(0.001, 1),
    "top_k": Range(1, 50, is_whole=True),
    "seed": Range(1, 9_999_999_999, is_whole=True),
    "repetition_penalty": Range(0, 2),
    "frequency_penalty": Range(-2, 2),
    "presence_penalty": Range(-2, 2),
}
MAX_TOKENS = Range(1, 1_000_000, is_whole=True)
CACHE_SECONDS = Range(60, 2_592_000, is_whole=True)  # AI Gateway's limits: up to a month
