"""Read requests of Ollama's API for an answer, and translate them into completion requests."""

from typing import NamedTuple

from msgspec import Raw

from chat.conversations.prompt import PromptMessage
from chat.lib.catalogue import Model
from chat.upstream.chunks import NOTHING
from chat.upstream.request import CompletionRequest
from chat.web.api.chat_request import completion_request
from chat.web.api.ollama.messages import Images, Message, images_in, prompt_messages
from chat.web.api.ollama.options import AnswerSettings, parameters_of, require_usable
from chat.web.http.json_body import UnsupportedParameter, decode_body

NO_TOOLS = frozenset({b"", b"null", b"[]"})


class OllamaChatRequest(AnswerSettings, kw_only=True):
    messages: list[Message] | None = None
    tools: Raw = NOTHING


class GenerateRequest(AnswerSettings, kw_only=True):
    """A single prompt. What would bypass a model's own template is refused."""

    prompt: str | None = None
    system: str | None = None
    images: Images = None
    suffix: str | None = None
    template: str | None = None
    context: list[int] | None = None
    raw: bool | None = None


class ReadRequest(NamedTuple):
    """A request and its messages; without any, it only loads the model."""

    request: OllamaChatRequest | GenerateRequest
    messages: list[PromptMessage]

    @property
    def is_chat(self) -> bool:
        return isinstance(self.request, OllamaChatRequest)

    def question(self, model: Model, principal_key: str) -> CompletionRequest:
        """Build the request to the provider. Raise `BadRequest` for what the model can't do."""
        tools = self.request.tools if isinstance(self.request, OllamaChatRequest) else NOTHING
        if bytes(tools) not in NO_TOOLS and not model.tools:
            # Programs look for these words, and ask again without tools.
            raise UnsupportedParameter(f'"{model.id}" does not support tools').at("tools")
        parameters = parameters_of(self.request, model, tools)
        return completion_request(parameters, self.messages, model, principal_key)


async def read_chat(body: bytes) -> ReadRequest:
    """Parse the body of a chat. Raise `BadRequest`, which names the field that is wrong."""
    return await decode_body(body, OllamaChatRequest, _chat)


async def read_generate(body: bytes) -> ReadRequest:
    """Parse the body of a single prompt. Raise `BadRequest`, which names the wrong field."""
    return await decode_body(body, GenerateRequest, _generate)


def _chat(request: OllamaChatRequest) -> ReadRequest:
    require_usable(request)
    return ReadRequest(request, prompt_messages(request.messages) if request.messages else [])


def _generate(request: GenerateRequest) -> ReadRequest:
    require_usable(request)
    if request.suffix:
        raise UnsupportedParameter(f'"{request.model}" does not support insert').at("suffix")
    for name in ("raw", "template"):
        if getattr(request, name):
            words = f"{name}: the models here have a template of their own."
            raise UnsupportedParameter(words).at(name)
    if request.context:
        words = "context: this site stores no conversations. Use /api/chat, with all messages."
        raise UnsupportedParameter(words).at("context")
    if not request.prompt and not request.images:
        return ReadRequest(request, [])
    system = [PromptMessage("system", request.system)] if request.system else []
    images = images_in(request.images, "images")
    return ReadRequest(
        request, [*system, PromptMessage("user", request.prompt or "", images=images)]
    )
