"""Read the tools of a request, and write them as functions, which is all that models know.

Tools that somebody else would have to run, such as a web search at OpenAI, are left out: agents
declare them all the time, and work without them.
"""

from dataclasses import dataclass, field
from typing import Annotated, Any

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from chat.errors import BadRequest
from chat.generations.delivery.encoders.called_tools import INPUT, ToolForms
from chat.lib.catalogue import Model
from chat.upstream.chunks import NOTHING
from chat.upstream.decoding.tool_calls import MAX_CALLS
from chat.web.api.tool_choice import allowed_names, allowed_tools, chosen, must_call
from chat.web.http.json_body import UnsupportedParameter, decode_part
from chat.web.streams.request_parameters import KnownParameters

#: Parameters that this API supports, unlike the others.
HONOURED = frozenset({"tools", "tool_choice", "parallel_tool_calls", "functions", "function_call"})
MAX_VECTOR_STORES = 20
MAX_TOOLS_BYTES = 256 * 1024
NO_PARAMETERS: dict[str, Any] = {"type": "object", "properties": {}}

_Name = Annotated[str, Meta(min_length=1, max_length=200)]


class _Kind(Struct):
    """What tells how to read the rest of a declaration. Without a type, it is a function."""

    type: str | None = None


class _Function(Struct):
    name: _Name
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None


class _FunctionTool(Struct):
    """A function in OpenAI's form or, without `function`, in that of the Responses API."""

    function: _Function | UnsetType = UNSET
    name: _Name | UnsetType = UNSET
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None


class _Grammar(Struct):
    syntax: str = ""
    definition: str = ""


class _InputFormat(Struct):
    """What a custom tool's text looks like; the Responses API has the grammar's fields here."""

    type: str = "text"
    syntax: str = ""
    definition: str = ""
    grammar: _Grammar | None = None


class _Custom(Struct):
    name: _Name
    description: str | None = None
    format: _InputFormat | None = None


class _CustomTool(Struct):
    """A tool that takes text, in the form of chat completions or of the Responses API."""

    custom: _Custom | UnsetType = UNSET
    name: _Name | UnsetType = UNSET
    description: str | None = None
    format: _InputFormat | None = None


class _FileSearch(Struct):
    vector_store_ids: Annotated[list[str], Meta(min_length=1, max_length=MAX_VECTOR_STORES)]


class _Namespace(Struct):
    name: _Name
    tools: list[Raw] = []


#: What clients call a search of the web, by the version of OpenAI's API that they know.
WEB_SEARCHES = frozenset({
    "web_search", "web_search_2025_08_26", "web_search_preview", "web_search_preview_2025_03_11",
})  # fmt: skip


@dataclass(slots=True)
class OfferedTools:
    """The functions for the model, and what they are to the program."""

    functions: dict[str, dict[str, Any]] = field(default_factory=dict)  # by name
    custom: set[str] = field(default_factory=set)
    namespaces: dict[str, tuple[str, str]] = field(default_factory=dict)
    strict: dict[str, bool] = field(default_factory=dict)
    is_old: bool = False
    vector_stores: list[str] = field(default_factory=list)  # to search in the Responses API
    site_tools: tuple[str, ...] = ()  # of this site, in the Responses API
    must_search: bool = False  # the first thing that the model does has to be a search of the web
    waiting: list[tuple[_Namespace, str]] = field(default_factory=list)

    @property
    def forms(self) -> ToolForms:
        return ToolForms(frozenset(self.custom), self.namespaces, self.is_old)

    def name_of(self, name: str, namespace: str = "") -> str:
        """Return the name by which the model knows a tool."""
        inside = (namespace, name)
        return next((each for each, at in self.namespaces.items() if at == inside), name)

    def add(self, raw: Raw, where: str, namespace: str = "") -> None:
        """Add a declared tool; the functions of a namespace follow with `add_waiting`.

        Raise `BadRequest` for one that is not in the expected form.
        """
        kind = decode_part(raw, _Kind, where).type or "function"
        if kind == "function":
            self._add_function(decode_part(raw, _FunctionTool, where), where, namespace)
        elif kind == "custom":
            self._add_custom(decode_part(raw, _CustomTool, where), where, namespace)
        elif kind == "file_search":
            self.vector_stores += decode_part(raw, _FileSearch, where).vector_store_ids
        elif kind in WEB_SEARCHES:
            self.site_tools = ("web_search",)
        elif kind == "namespace" and not namespace:
            self.waiting.append((decode_part(raw, _Namespace, where), where))

    def add_waiting(self) -> None:
        """Add the functions of namespaces last, because only theirs can have another name."""
        for each, where in self.waiting:
            for place, tool in enumerate(each.tools):
                self.add(tool, f"{where}.tools[{place}]", each.name)
        self.waiting.clear()

    def _add_function(self, tool: _FunctionTool, where: str, namespace: str) -> None:
        function = tool.function
        if not isinstance(function, _Function):
            name = _required(tool.name, where)
            function = _Function(name, tool.description, tool.parameters, tool.strict)
        description, parameters = function.description, function.parameters
        own = self._offer(function.name, namespace, description or "", parameters or NO_PARAMETERS)
        if function.strict is not None:
            self.strict.setdefault(own, function.strict)

    def _add_custom(self, tool: _CustomTool, where: str, namespace: str) -> None:
        custom = tool.custom
        if not isinstance(custom, _Custom):
            custom = _Custom(_required(tool.name, where), tool.description, tool.format)
        text = {"type": "string", "description": "The whole input of the tool, as text."}
        parameters = {"type": "object", "properties": {INPUT: text}, "required": [INPUT]}
        name = self._offer(custom.name, namespace, _described(custom), parameters)
        self.custom.add(name)

    def _offer(
        self, name: str, namespace: str, description: str, parameters: dict[str, Any]
    ) -> str:
        """Offer a function; return its name. Its description is text, as some providers require."""
        own = name
        if namespace:
            own = f"{namespace}__{name}" if name in self.functions else name
            self.namespaces[own] = (namespace, name)
        function = {"name": own, "description": description, "parameters": parameters}
        self.functions.setdefault(own, {"type": "function", "function": function})
        return own


def offered_tools(
    request: KnownParameters, more: list[tuple[Raw, str]] | None = None
) -> OfferedTools:
    """Return the tools of a request. `more` are lists of them that are not in its `tools`.

    Raise `BadRequest` for what is not in the expected form.
    """
    offered = OfferedTools()
    for raw, where in [(request.tools, "tools"), *(more or [])]:
        for place, each in enumerate(decoded(raw, list[Raw] | None, where) or []):
            offered.add(each, f"{where}[{place}]")
    offered.add_waiting()
    _choose_site_tools(request, offered)
    if not offered.functions and not request.tools:
        old = decoded(request.functions, list[Raw] | None, "functions") or []
        for place, each in enumerate(old):
            offered.add(each, f"functions[{place}]")
        offered.is_old = bool(offered.functions)
    if len(offered.functions) > MAX_CALLS:
        raise BadRequest(f"tools: at most {MAX_CALLS} are possible.").at("tools")
    return offered


def _choose_site_tools(request: KnownParameters, offered: OfferedTools) -> None:
    """Leave out the site's own tools, or have them used, as `tool_choice` says.

    Raise `BadRequest` if a function has the name of one.
    """
    if not offered.site_tools:
        return
    if set(offered.site_tools) & set(offered.functions):
        raise BadRequest("tools: a function has the name of a tool of this site.").at("tools")
    choice = decoded(request.tool_choice, Any, "tool_choice")
    allowed = allowed_names(choice, offered.name_of)
    if choice == "none" or (allowed is not None and not _names_search(choice)):
        offered.site_tools = ()
        return
    others = offered.functions.keys() if allowed is None else offered.functions.keys() & allowed
    is_named = isinstance(choice, dict) and choice.get("type") in WEB_SEARCHES
    offered.must_search = is_named or (not others and must_call(choice))


def _names_search(choice: Any) -> bool:
    return any(
        isinstance(each, dict) and each.get("type") in WEB_SEARCHES
        for each in allowed_tools(choice)
    )


def tool_parameters(
    request: KnownParameters,
    model: Model,
    offered: OfferedTools | None = None,
    *,
    keeps_strict: bool = False,
) -> dict[str, Any]:
    """Return the parameters for the provider; none if the request has no tools.

    Workers AI doesn't know `strict`.

    Raise `BadRequest` for invalid tools, or if the model cannot call any.
    """
    offered = offered_tools(request) if offered is None else offered
    where = "function_call" if offered.is_old else "tool_choice"
    choice = decoded(getattr(request, where), Any, where)
    allowed = allowed_names(choice, offered.name_of)
    functions = {
        name: each for name, each in offered.functions.items() if allowed is None or name in allowed
    }
    if not functions or choice == "none":
        return {}
    if not model.tools:
        words = "tools: {model} can't call tools. Choose another model."
        raise UnsupportedParameter(words.format(model=model.name)).at("tools")
    strict = offered.strict if keeps_strict else {}
    written = [
        each | {"function": each["function"] | {"strict": strict[name]}} if name in strict else each
        for name, each in functions.items()
    ]
    parameters: dict[str, Any] = {"tools": written}
    if wanted := chosen(choice, offered.name_of, functions, where):
        parameters["tool_choice"] = wanted
    parallel = decoded(request.parallel_tool_calls, bool | None, "parallel_tool_calls")
    if parallel is False or offered.is_old:
        parameters["parallel_tool_calls"] = False
    return parameters


def decoded(raw: Raw, shape: Any, name: str) -> Any:
    """Return a raw parameter in its type, None if it was not sent. Raise `BadRequest`."""
    if raw == NOTHING or not raw:
        return None
    if len(raw) > MAX_TOOLS_BYTES:
        raise BadRequest(f"{name}: this is too long.").at(name)
    return decode_part(raw, shape, name)


def _required(name: str | UnsetType, where: str) -> str:
    if not isinstance(name, str):
        raise BadRequest(f"{where}: not in the expected form.").at(where)
    return name


def _described(tool: _Custom) -> str:
    """Return the description with the grammar, which nothing else tells the model."""
    wanted = tool.format or _InputFormat()
    grammar = wanted.grammar or _Grammar(wanted.syntax, wanted.definition)
    parts = [tool.description or ""]
    if grammar.definition:
        parts.append(f"The input has this grammar ({grammar.syntax}):\n{grammar.definition}")
    return "\n\n".join(filter(None, parts))
