"""What this process has learned about models from the answers and refusals of their providers.

Names of parameters differ between providers that are otherwise compatible with OpenAI, and even
between the models of one.
"""

from collections.abc import Collection
from dataclasses import dataclass

LIMIT_NAMES = ("max_tokens", "max_completion_tokens")
#: Where an earlier answer's reasoning is sent back; empty: nowhere.
REASONING_NAMES = ("reasoning_content", "reasoning", "")


@dataclass(slots=True)
class Learned:
    """What is known of one model; None: nothing, so the provider's usual value counts."""

    window: int | None = None  # the context window in tokens
    limit_name: str | None = None
    reasoning_name: str | None = None

    def rename(self, refused: Collection[str], name: str) -> bool:
        """Use another name than `name`; return False if all of its names are `refused`."""
        is_limit = name in LIMIT_NAMES
        names = LIMIT_NAMES if is_limit else REASONING_NAMES
        other = next((each for each in names if each not in refused), None)
        if is_limit:
            self.limit_name = other
        else:
            self.reasoning_name = other
        return other is not None


#: By model id, so as many as there are in the catalogue.
models: dict[str, Learned] = {}


def about(model_id: str) -> Learned:
    return models.setdefault(model_id, Learned())
