"""What is expected of each client in `clients/`: its behaviours are the same, its errors its own."""

from dataclasses import dataclass, field

from tests.support.api.task_model import DONE

#: By behaviour: what the answer contains, as Python writes it.
ANSWERS = {
    "whole": "“Hello”",
    "streamed": "“Hello”",
    "completion": "“Hello”",
    "response": "“Hello”",
    "tool": "['read_gauge', {'query': 'the level'}]",
    "streamed_tool": "['read_gauge', {'query': 'the level'}]",
    "tools": "“4.2 m”",
    "response_tools": "“4.2 m”",
    "structured": "City",
    "json_schema": "City",
    "json_mode": "City",
    "function_calling": "City",
    "tool_mode": "City",
    "partial": "City",
    "embedding": "1024",
    "models": "True",
    "usage": "True",
    "token": "active",
    "task": DONE,
    "response_task": DONE,
}
#: By behaviour: the class of the error, and words of its message. `broken` is an error in the
#: middle of a stream, `cut` a stream that the provider ended too early.
ERRORS = {
    "wrong_key": ("AuthenticationError", "Incorrect API key provided"),
    "rate": ("RateLimitError", "messages per minute"),
    "quota": ("RateLimitError", "monthly limit"),
    "context": ("BadRequestError", "maximum context length is"),
    "broken": ("APIError", "The model provider had a problem"),
    "cut": ("APIError", "The answer was interrupted"),
}
STREAMED = ("streamed", "broken", "cut")
#: By behaviour: the abilities in the table of programs.
ABILITIES = {
    "whole": ("text",),
    "streamed": ("streamed",),
    **dict.fromkeys(("tool", "streamed_tool", "tools", "response_tools"), ("tools",)),
    **dict.fromkeys(("task", "response_task"), ("tools", "turns")),
    **dict.fromkeys(
        ("structured", "json_schema", "json_mode", "function_calling", "tool_mode"), ("structured",)
    ),
    "wrong_key": ("wrong key",),
    "rate": ("limits",),
    "quota": ("limits",),
    "context": ("too long",),
    "broken": ("broken",),
    "cut": ("cut",),
}
REFUSALS = ("wrong_key", "rate", "quota", "context")


@dataclass(frozen=True)
class InteropClient:
    """A script in `clients/`: what it does besides, and where it differs from the tables above."""

    name: str
    script: str
    also: tuple[str, ...] = ()
    errors: dict[str, tuple[str, str]] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    is_hurried: bool = False  # it repeats calls, and would wait
    streams: bool = True
    final_tool: str = ""  # takes the answer of a task
    tool_error: str = "There is no such gauge."  # what the model hears when a tool failed

    @property
    def behaviours(self) -> list[str]:
        found = ["whole", "streamed", *ERRORS, *self.also]
        return [each for each in found if self.streams or each not in STREAMED]

    @property
    def is_node(self) -> bool:
        return self.script.endswith(".mjs")

    def answer(self, behaviour: str) -> str | None:
        """Return what the answer contains; None if an error is expected."""
        if behaviour in ERRORS and behaviour not in self.answers:
            return None
        return self.answers.get(behaviour, ANSWERS.get(behaviour, ""))

    def error(self, behaviour: str) -> tuple[str, str]:
        return self.errors.get(behaviour) or ERRORS[behaviour]


def _wrapped(name: str) -> dict[str, tuple[str, str]]:
    """Return the errors of a client with a class of its own for every refused request."""
    return {each: (name, ERRORS[each][1]) for each in REFUSALS}


_BY_STATUS = {"wrong_key": "401", "rate": "429", "quota": "429", "context": "413"}

CLIENTS = [
    InteropClient(
        "litellm",
        "litellm_client.py",
        ("tool", "streamed_tool", "structured", "response", "embedding"),
        {
            "context": ("ContextWindowExceededError", "maximum context length is"),
            "broken": ("MidStreamFallbackError", ERRORS["broken"][1]),
            "cut": ("MidStreamFallbackError", ERRORS["cut"][1]),
        },
    ),
    InteropClient(
        "LangChain",
        "langchain_client.py",
        (
            "tools",
            "streamed_tool",
            "task",
            "response_task",
            "json_schema",
            "json_mode",
            "function_calling",
            "usage",
            "response",
            "embedding",
        ),
        {"context": ("ContextOverflowError", "maximum context length is")},
    ),
    InteropClient(
        "langchain-cloudflare",
        "langchain_cloudflare_client.py",
        ("tool",),
        {name: ("HTTPStatusError", status) for name, status in _BY_STATUS.items()},
        # It ignores errors in a stream, and that its end is missing.
        {"broken": "", "cut": ""},
    ),
    InteropClient(
        "instructor",
        "instructor_client.py",
        ("partial", "tool_mode", "json_mode"),
        _wrapped("InstructorRetryException"),
        {"whole": "City"},
    ),
    InteropClient(
        "Pydantic AI",
        "pydantic_ai_client.py",
        ("tools", "task", "response_task", "structured", "response"),
        _wrapped("ModelHTTPError"),
    ),
    InteropClient(
        "OpenAI's agents",
        "openai_agents_client.py",
        ("tools", "response_tools", "task", "response_task", "structured", "response"),
        tool_error="An error occurred while running the tool",
    ),
    InteropClient(
        "Continue's adapters",
        "continue_client.mjs",
        ("streamed_tool", "completion", "embedding", "models"),
        is_hurried=True,
    ),
    InteropClient(
        "LibreChat's agents",
        "librechat_client.mjs",
        ("tools",),
        {"context": ("ContextOverflowError", "maximum context length is")},
    ),
    InteropClient(
        "cloudflare for Node",
        "cloudflare_client.mjs",
        ("models", "token"),
        # The SDK gives the stream as it is.
        {
            "context": ("APIError", "context window limit"),
            "broken": ("", ERRORS["broken"][1]),
            "cut": ("", ERRORS["cut"][1]),
        },
    ),
    InteropClient(
        "ollama for JavaScript",
        "ollama_client.mjs",
        ("tools", "completion", "embedding", "models"),
        {
            **{name: ("ResponseError", ERRORS[name][1]) for name in REFUSALS},
            # In a stream, the package throws a plain error.
            "broken": ("", ERRORS["broken"][1]),
            "cut": ("", ERRORS["cut"][1]),
        },
    ),
    InteropClient(
        "LangChain.js",
        "langchain_client.mjs",
        ("streamed_tool", "task", "response_task", "structured", "response", "embedding"),
        {"context": ("ContextOverflowError", "maximum context length is")},
        {"structured": "object"},
    ),
    InteropClient("LlamaIndex", "llama_index_client.py", ("task", "structured")),
    InteropClient(
        "Haystack", "haystack_client.py", ("task", "response", "response_task", "embedding")
    ),
    InteropClient(
        "DSPy",
        "dspy_client.py",
        ("task", "response", "embedding"),
        {
            "wrong_key": ("LMAuthError", ERRORS["wrong_key"][1]),
            "rate": ("LMRateLimitError", ERRORS["rate"][1]),
            "quota": ("LMBillingError", ERRORS["quota"][1]),
            "context": ("ContextWindowExceededError", ERRORS["context"][1]),
        },
        streams=False,
        final_tool="submit",
    ),
    InteropClient(
        "Agno",
        "agno_client.py",
        ("task", "response", "response_task", "structured"),
        {name: ("RunError", words) for name, (_class, words) in ERRORS.items()},
    ),
    InteropClient("smolagents", "smolagents_client.py", ("task",), final_tool="final_answer"),
]
