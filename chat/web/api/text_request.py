"""Read a text completion request: a prompt instead of messages."""

from chat.conversations.prompt import PromptMessage
from chat.errors import BadRequest
from chat.web.api.chat_request import ApiParameters, require_usable
from chat.web.http.json_body import decode_body


class TextRequest(ApiParameters, kw_only=True):
    prompt: str | list[str] | None = None


async def read_text_request(body: bytes) -> TextRequest:
    """Parse the body. Raise `BadRequest`, which names the field that is wrong."""
    text_request = await decode_body(body, TextRequest)
    require_usable(text_request)
    return text_request


def prompt_of(request: TextRequest) -> list[PromptMessage]:
    """Return the prompt as a message. Raise `BadRequest` if there is none, or more than one."""
    prompt = request.prompt
    if isinstance(prompt, list):
        if len(prompt) != 1:
            raise BadRequest("prompt: send one text per request.").at("prompt")
        (prompt,) = prompt
    if not prompt or not prompt.strip():
        raise BadRequest("prompt: there is no text.").at("prompt")
    return [PromptMessage("user", prompt)]
