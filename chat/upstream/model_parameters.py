"""Translate a request's options into the parameters of one model. Pure functions.

Workers AI's native models have a different schema than OpenAI's: no `stop` (which stop_sequences.py
applies to every model), a bare JSON schema, and no streaming of JSON answers.
"""

from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from chat.errors import BadRequest
from chat.lib.catalogue import REASONING_EFFORTS, Model
from chat.upstream.request import CompletionRequest

#: Efforts that only some providers' models have, and the nearest ones here.
OTHER_EFFORTS = {"minimal": "low", "xhigh": "high", "max": "high"}


#: OpenAI's API takes no more; stop_sequences.py looks for all of them.
MAX_SENT_STOPS = 4
#: OpenAI's schema allows no more; the native one allows 5.
MAX_OPENAI_TEMPERATURE = 2


class UnsupportedEffort(BadRequest):
    code = "unsupported_parameter"


def for_model(request: CompletionRequest, model: Model) -> CompletionRequest:
    """Return the request with the parameters that `model` understands."""
    added = _format(request, model) | _stop(request, model) | _thinking(request, model)
    added |= _temperature(request, model)
    parameters = {**request.parameters, **added}
    if _is_native(model) and parameters.get("tool_choice") == "none":
        # The native schema has no such choice.
        parameters = {name: parameters[name] for name in parameters.keys() - {"tools"}}
    return replace(request, parameters=parameters)


def require_effort(model: Model, effort: str) -> None:
    """Raise `UnsupportedEffort` if `model` does not accept this reasoning effort."""
    if not effort or effort in model.effort_choices:
        return
    if not model.effort_choices:
        raise UnsupportedEffort(
            _("reasoning_effort: {model} doesn't support this setting.").format(model=model.name)
        )
    choices = ", ".join(model.effort_choices)
    raise UnsupportedEffort(
        _("reasoning_effort: {model} accepts only these values: {choices}.").format(
            model=model.name, choices=choices
        )
    )


def effort_of(model: Model, wanted: str | None, otherwise: str) -> str:
    """Return the reasoning effort: the one `wanted`, else a persona's if the model accepts it.

    Raise `UnsupportedEffort` if the model does not accept the one wanted.
    """
    if wanted:
        require_effort(model, wanted)
        return wanted
    return otherwise if otherwise in model.effort_choices else ""


def nearest_effort(model: Model, wanted: str | None) -> str:
    """Return the reasoning effort of `model` that is nearest to the one wanted.

    It is empty, the model's default, if that is unknown or the model has no such setting.
    """
    named = OTHER_EFFORTS.get(wanted or "", wanted)
    if named not in REASONING_EFFORTS or not model.effort_choices:
        return ""
    place = REASONING_EFFORTS.index(named)
    return min(model.effort_choices, key=lambda each: abs(REASONING_EFFORTS.index(each) - place))


def can_stream(request: CompletionRequest, model: Model) -> bool:
    """Return False if the model can only answer this request as one document."""
    return request.response_format is None or not _is_native(model)


def can_force_calls(model: Model) -> bool:
    """Return whether a request can make the model call a tool, unlike the native schema."""
    return not _is_native(model)


def _format(request: CompletionRequest, model: Model) -> dict[str, Any]:
    wanted = request.response_format
    if wanted is None:
        return {}
    if _is_native(model) and "json_schema" in wanted:
        wanted = {**wanted, "json_schema": wanted["json_schema"]["schema"]}
    return {"response_format": dict(wanted)}


def _stop(request: CompletionRequest, model: Model) -> dict[str, Any]:
    stops = list(request.stop[:MAX_SENT_STOPS])
    return {"stop": stops} if stops and not _is_native(model) else {}


def _temperature(request: CompletionRequest, model: Model) -> dict[str, Any]:
    wanted = request.parameters.get("temperature")
    if wanted is None or _is_native(model):
        return {}
    return {"temperature": min(wanted, MAX_OPENAI_TEMPERATURE)}


def _thinking(request: CompletionRequest, model: Model) -> dict[str, Any]:
    """Return the parameters for the reasoning effort; none if the model has no such option.

    That may be the case for a fallback model.
    """
    effort = request.reasoning_effort
    if effort not in model.effort_choices:
        return {}
    if effort == "none" and model.thinking_switch != "reasoning_effort":
        return {"chat_template_kwargs": {model.thinking_switch: False}}
    return {"reasoning_effort": effort}


def _is_native(model: Model) -> bool:
    """Return whether the model takes the native schema.

    Models that answer in both formats do, too.
    """
    return model.family != "openai"
