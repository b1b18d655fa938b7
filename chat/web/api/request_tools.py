"""Read the tools of a request, and write them as Workers AI accepts them."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from chat.errors import BadRequest
from chat.lib.catalogue import Model
from chat.upstream.decoding.tool_calls import MAX_CALLS
from chat.web.http.json_body import UnsupportedParameter, decode_part
from chat.web.streams.request_parameters import KnownParameters

#: Parameters that this API supports, unlike the others.
HONOURED = frozenset({"tools", "tool_choice", "parallel_tool_calls"})
MAX_TOOLS_BYTES = 256 * 1024
NO_PARAMETERS: dict[str, Any] = {"type": "object", "properties": {}}


class _Function(Struct):
    name: Annotated[str, Meta(min_length=1, max_length=200)]
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None


class _Tool(Struct):
    """A tool in OpenAI's form or, without `function`, in Workers AI's and the Responses API's."""

    type: Literal["function"] = "function"
    function: _Function | UnsetType = UNSET
    name: Annotated[str, Meta(min_length=1, max_length=200)] | UnsetType = UNSET
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None

    @property
    def described(self) -> _Function:
        if isinstance(self.function, _Function):
            return self.function
        return _Function(str(self.name), self.description, self.parameters, self.strict)


class _NamedFunction(Struct):
    name: str


class _NamedChoice(Struct):
    function: _NamedFunction | UnsetType = UNSET
    name: str = ""

    @property
    def tool_name(self) -> str:
        return self.function.name if isinstance(self.function, _NamedFunction) else self.name


_Choice = Literal["auto", "none", "required", "any"] | _NamedChoice


def tool_parameters(
    request: KnownParameters, model: Model, *, keeps_strict: bool = False
) -> dict[str, Any]:
    """Return the parameters for the provider; none if the request has no tools.

    Workers AI doesn't know `strict`.

    Raise `BadRequest` for invalid tools, or if the model cannot call any.
    """
    tools = _decoded(request.tools, Annotated[list[_Tool] | None, Meta()], "tools")
    choice = _decoded(request.tool_choice, _Choice | None, "tool_choice")
    if not tools or choice == "none":
        return {}
    for place, tool in enumerate(tools):
        if tool.function is UNSET and tool.name is UNSET:
            where = f"tools[{place}]"
            raise BadRequest(f"{where}: not in the expected form.").at(where)
    if len(tools) > MAX_CALLS:
        raise BadRequest(f"tools: at most {MAX_CALLS} are possible.").at("tools")
    if not model.tools:
        words = "tools: {model} can't call tools. Choose another model."
        raise UnsupportedParameter(words.format(model=model.name)).at("tools")
    written = [_written(each.described, keeps_strict=keeps_strict) for each in tools]
    parameters: dict[str, Any] = {"tools": written}
    if chosen := _chosen(choice, tools):
        parameters["tool_choice"] = chosen
    if (
        parallel := _decoded(request.parallel_tool_calls, bool | None, "parallel_tool_calls")
    ) is False:
        parameters["parallel_tool_calls"] = parallel
    return parameters


def _written(function: _Function, *, keeps_strict: bool) -> dict[str, Any]:
    """Return a tool whose description is text and whose parameters are a schema, as required."""
    value: dict[str, Any] = {
        "name": function.name,
        "description": function.description or "",
        "parameters": function.parameters or NO_PARAMETERS,
    }
    if keeps_strict and function.strict is not None:
        value["strict"] = function.strict
    return {"type": "function", "function": value}


def _chosen(choice: Any, tools: list[_Tool]) -> Any:
    if choice is None or choice == "auto":
        return None
    if not isinstance(choice, _NamedChoice):
        return "required"
    name = choice.tool_name
    if name not in {each.described.name for each in tools}:
        raise BadRequest("tool_choice: there is no such tool.").at("tool_choice")
    return {"type": "function", "function": {"name": name}}


def _decoded(raw: Raw, shape: Any, name: str) -> Any:
    """Return a raw parameter in its type, None if it was not sent. Raise `BadRequest`."""
    if not raw:
        return None
    if len(raw) > MAX_TOOLS_BYTES:
        raise BadRequest(f"{name}: this is too long.").at(name)
    return decode_part(raw, shape, name)
