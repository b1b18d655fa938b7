"""How one model wants to be told what a question asks of its answer: pure.

Workers AI's native models have another schema than OpenAI's: no `stop` (which is done here for all
of them, see stop_sequences.py), a bare JSON schema, and no stream where the answer is JSON.
"""

from dataclasses import replace
from typing import Any

from chat.lib.catalogue import Model
from chat.relay.question import Question


def for_model(asked: Question, model: Model) -> Question:
    """Return the question with the parameters that `model` understands."""
    return replace(
        asked, parameters={**asked.parameters, **_format(asked, model), **_stop(asked, model)}
    )


def can_stream(asked: Question, model: Model) -> bool:
    """Return False where the model answers such a question whole only."""
    return asked.response_format is None or not _is_native(model)


def _format(asked: Question, model: Model) -> dict[str, Any]:
    wanted = asked.response_format
    if wanted is None:
        return {}
    if _is_native(model) and "json_schema" in wanted:
        wanted = {**wanted, "json_schema": wanted["json_schema"]["schema"]}
    return {"response_format": dict(wanted)}


def _stop(asked: Question, model: Model) -> dict[str, Any]:
    return {"stop": list(asked.stop)} if asked.stop and not _is_native(model) else {}


def _is_native(model: Model) -> bool:
    """Dual models have the native schema, too; they only answer in both."""
    return model.family != "openai"
