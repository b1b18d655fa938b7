"""Put the texts of documents into the messages that have them."""

from dataclasses import replace

from chat.conversations.attached_files import file_block
from chat.conversations.prompt import PromptDocument, PromptMessage
from chat.documents.errors import DocumentUnreadable
from chat.documents.reading import read_for_message
from chat.errors import BadRequest

#: In all messages of a request: a small file may have a text of a million bytes.
MAX_REQUEST_DOCUMENTS = 30
MAX_NAME_CHARS = 100


async def with_document_texts(messages: list[PromptMessage], member: str) -> list[PromptMessage]:
    """Return the messages with the texts of their documents.

    Raise `DocumentUnreadable` for a document of the question. An earlier one, or one that a tool
    found, would be sent again with each later request, so a note says why it can't be read.
    """
    if sum(len(each.documents) for each in messages) > MAX_REQUEST_DOCUMENTS:
        words = f"messages: at most {MAX_REQUEST_DOCUMENTS} files are possible."
        raise BadRequest(words).at("messages")
    asked_from = len(messages)
    while asked_from and messages[asked_from - 1].role == "user":
        asked_from -= 1
    return [
        await _with_texts(each, member, is_asked=place >= asked_from) if each.documents else each
        for place, each in enumerate(messages)
    ]


async def _with_texts(message: PromptMessage, member: str, *, is_asked: bool) -> PromptMessage:
    parts = [message.content] if message.content else []
    for each in message.documents:
        parts.append(await _text_of(each, member, is_asked=is_asked))
    return replace(message, content="\n".join(parts), documents=())


async def _text_of(document: PromptDocument, member: str, *, is_asked: bool) -> str:
    try:
        read = await read_for_message(document.content, document.name, member)
    except DocumentUnreadable as error:
        if is_asked:
            raise
        return f"[file: {document.name[:MAX_NAME_CHARS]}: {error.public}]"
    return file_block(document.name, read.text)
