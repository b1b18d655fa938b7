"""Read and validate chat requests as strictly as Workers AI does.

Every schema error is 400/5006 in the API's own style, so that a client's mistakes show up here and
not with a real account.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from chat.emulator.common import tokens
from chat.emulator.common.faults import Refusal
from chat.emulator.requests.formats import read_json_format, read_stops
from chat.emulator.requests.problems import bad, mismatch, type_name
from chat.emulator.requests.seen_images import SeenImage, read_image
from chat.emulator.requests.tools import Tools, read_tools
from chat.lib.catalogue import Model

DEFAULT_MAX_TOKENS_OF_NATIVE_MODELS = 256
TOKENS_AROUND_A_MESSAGE = 4
TOKENS_OF_AN_IMAGE = 256

# field: (lowest, highest); None is no limit
_NATIVE_RANGES: dict[str, tuple[float, float | None]] = {
    "temperature": (0, 5),
    "top_p": (0.001, 1),
    "top_k": (1, 50),
    "seed": (1, 9_999_999_999),
    "repetition_penalty": (0, 2),
    "frequency_penalty": (-2, 2),
    "presence_penalty": (-2, 2),
    "max_tokens": (1, None),
}
_OPENAI_RANGES: dict[str, tuple[float, float | None]] = {
    "temperature": (0, 2),
    "top_p": (0, 1),
    "seed": (-(2**63), 2**63 - 1),
    "n": (1, 128),
    "top_logprobs": (0, 20),
    "frequency_penalty": (-2, 2),
    "presence_penalty": (-2, 2),
    "max_tokens": (1, None),
    "max_completion_tokens": (1, None),
}
_WHOLE_NUMBERS = {"top_k", "seed", "max_tokens", "max_completion_tokens", "n", "top_logprobs"}
_ROLES = {"system", "developer", "user", "assistant", "tool"}


@dataclass(frozen=True, slots=True)
class Message:
    role: str
    text: str
    images: tuple[SeenImage, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A request that Workers AI would accept."""

    model: Model
    messages: tuple[Message, ...]
    prompt_tokens: int
    max_tokens: int
    stream: bool
    include_usage: bool
    thinking: bool
    tools: Tools
    seed: int
    stops: tuple[str, ...] = ()
    json_format: Mapping[str, Any] | None = None
    effort: str = ""  # reasoning effort; empty if not requested
    choice_count: int = 1  # answers to give

    @property
    def last_turn(self) -> tuple[Message, ...]:
        """Return the user's last message and everything after it; empty if there is none."""
        spoke_at = [index for index, each in enumerate(self.messages) if each.role == "user"]
        return self.messages[spoke_at[-1] :] if spoke_at else ()


def read_document(body: bytes) -> dict[str, Any]:
    """Return the JSON object in the body; raise Refusal if there is none."""
    document = read_json(body)
    if not isinstance(document, dict):
        bad(f"Type mismatch of '/', '{type_name(document)}' not in 'object'")
    return document


def read_json(body: bytes) -> Any:
    """Return any JSON in the body; raise Refusal if there is none."""
    try:
        return json.loads(body, parse_constant=_no_such_number)
    except (ValueError, RecursionError):
        bad("the request body is not valid JSON")


def _no_such_number(name: str) -> NoReturn:
    """Reject NaN and Infinity, which Python reads but JSON does not have."""
    raise ValueError(name)


def read_chat(model: Model, document: Mapping[str, Any]) -> ChatRequest:
    """Return the validated request; raise Refusal with the error of Workers AI if it is invalid."""
    _check_parameters(model, document)
    messages = _read_messages(model, document)
    prompt_tokens = sum(map(_tokens_of, messages))
    return ChatRequest(
        model=model,
        messages=messages,
        prompt_tokens=prompt_tokens,
        max_tokens=_fitting_max_tokens(model, document, prompt_tokens),
        stream=document.get("stream") or False,
        include_usage=bool((document.get("stream_options") or {}).get("include_usage")),
        thinking=model.reasoning and _wants_thinking(document),
        tools=read_tools(model, document),
        seed=document.get("seed") or 0,
        stops=read_stops(model, document),
        json_format=read_json_format(model, document),
        effort=_effort(model, document),
        choice_count=(document.get("n") or 1) if model.family == "openai" else 1,
    )


def _check_parameters(model: Model, document: Mapping[str, Any]) -> None:
    nullable = model.family == "openai"
    for name, (lowest, highest) in (_OPENAI_RANGES if nullable else _NATIVE_RANGES).items():
        value = document.get(name)
        if name in document and not (nullable and value is None):
            _check_number(name, value, lowest, highest)
    if document.get("lora") is not None and not model.lora:
        raise Refusal("5005")
    for name, kind in (("stream", bool), ("stream_options", dict)):
        if document.get(name) is not None and not isinstance(document[name], kind):
            mismatch(f"/{name}", document[name], "boolean" if kind is bool else "object")


def _check_number(name: str, value: Any, lowest: float, highest: float | None) -> None:
    kinds = (int,) if name in _WHOLE_NUMBERS else (int, float)
    if type(value) not in kinds:
        mismatch(f"/{name}", value, "integer" if name in _WHOLE_NUMBERS else "number")
    if value < lowest:
        bad(f"'/{name}' must be >= {lowest}, not {value}")
    if highest is not None and value > highest:
        bad(f"'/{name}' must be <= {highest}, not {value}")


def _read_messages(model: Model, document: Mapping[str, Any]) -> tuple[Message, ...]:
    if "prompt" in document and "messages" in document:
        bad("oneOf at '/' not met, 2 matches: 'prompt' and 'messages' are mutually exclusive")
    if "prompt" in document:
        return (_read_prompt(document["prompt"]),)
    if "messages" not in document:
        bad(
            "oneOf at '/' not met, 0 matches: required properties at '/' are 'prompt', "
            "required properties at '/' are 'messages'"
        )
    entries = document["messages"]
    if not isinstance(entries, list):
        mismatch("/messages", entries, "array")
    if not entries:
        bad("oneOf at '/' not met, 0 matches: '/messages' must not be empty")
    messages = tuple(_read_message(model, index, entry) for index, entry in enumerate(entries))
    if _wants_system_first(model) and any(message.role == "system" for message in messages[1:]):
        raise Refusal("system-order")
    return messages


def _read_prompt(prompt: Any) -> Message:
    if not isinstance(prompt, str):
        mismatch("/prompt", prompt, "string")
    if not prompt:
        bad("oneOf at '/' not met, 0 matches: Length of '/prompt' must be >= 1")
    return Message("user", prompt)


def _wants_system_first(model: Model) -> bool:
    """Return whether a system message must come first, as observed with newer Qwen models."""
    return model.family == "openai" and model.id.startswith("@cf/qwen/")


def _read_message(model: Model, index: int, entry: Any) -> Message:
    where = f"/messages/{index}"
    if not isinstance(entry, dict):
        mismatch(where, entry, "object")
    role = entry.get("role")
    if not isinstance(role, str) or role not in _ROLES:
        bad(f"oneOf at '/' not met, 0 matches: '{where}/role' is not a role")
    content = entry.get("content")
    if isinstance(content, str):
        return Message(role, content)
    if isinstance(content, list) and (model.family == "openai" or model.vision):
        return _read_parts(model, role, f"{where}/content", content)
    # OpenAI's clients send null with an assistant's tool calls; the native schema requires "".
    if content is not None or model.family != "openai" or not entry.get("tool_calls"):
        mismatch(f"{where}/content", content, "string")
    return Message(role, "")


def _read_parts(model: Model, role: str, where: str, parts: list[Any]) -> Message:
    texts: list[str] = []
    images: list[SeenImage] = []
    for index, part in enumerate(parts):
        kind = part.get("type") if isinstance(part, dict) else None
        if kind == "text" and isinstance(part.get("text"), str):
            texts.append(part["text"])
        elif kind == "image_url":
            images.append(read_image(model, part.get("image_url")))
        else:
            bad(f"oneOf at '/' not met, 0 matches: '{where}/{index}' is not a content part")
    return Message(role, "\n".join(texts), tuple(images))


def _tokens_of(message: Message) -> int:
    return (
        TOKENS_AROUND_A_MESSAGE
        + tokens.count(message.text)
        + TOKENS_OF_AN_IMAGE * len(message.images)
    )


def _fitting_max_tokens(model: Model, document: Mapping[str, Any], prompt_tokens: int) -> int:
    """Return the answer's limit. Reserved tokens count against the window, used or not."""
    wanted = document.get("max_completion_tokens") or document.get("max_tokens")
    if wanted is None:
        wanted = model.default_max_tokens
    if wanted is None and model.family != "openai":
        wanted = DEFAULT_MAX_TOKENS_OF_NATIVE_MODELS
    longest = model.max_output_tokens
    if wanted and longest:
        wanted = min(wanted, longest)
    if model.max_input_tokens and prompt_tokens > model.max_input_tokens:
        raise Refusal("5021", tokens=prompt_tokens, limit=model.max_input_tokens)
    needed = prompt_tokens + (wanted or 1)
    if needed > model.context_window:
        raise Refusal("5021", tokens=needed, limit=model.context_window)
    left = model.context_window - prompt_tokens
    return wanted or min(left, longest or left)


def _effort(model: Model, document: Mapping[str, Any]) -> str:
    """Return the requested effort if the model supports it; other models ignore it."""
    effort = document.get("reasoning_effort")
    return effort if model.reasoning_efforts and isinstance(effort, str) else ""


def _wants_thinking(document: Mapping[str, Any]) -> bool:
    """Return False if reasoning is turned off in one of the two ways that work."""
    if document.get("reasoning_effort", "medium") in (None, "none"):
        return False
    template = document.get("chat_template_kwargs")
    template = template if isinstance(template, dict) else {}
    return template.get("enable_thinking") is not False and template.get("thinking") is not False
