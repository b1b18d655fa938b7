"""Join the messages of one answer, with the calls of tools and the sources among them."""

from collections.abc import Sequence
from datetime import datetime

from chat.import_export.file_format import Attempt, ExportedMessage
from chat.import_export.foreign.calls import Step, exported_calls
from chat.import_export.foreign.cited import NumberedSources
from chat.import_export.foreign.message import ForeignMessage
from chat.import_export.foreign.values import paragraphs, without_nul
from chat.import_export.import_report import TOOLS, ImportReport

MODEL_LENGTH = 200
BETWEEN_PARAGRAPHS = 2  # line breaks


def whole_answer(
    messages: Sequence[ForeignMessage],
    number: int,
    parent: int | None,
    at: datetime,
    report: ImportReport,
) -> ExportedMessage:
    """Return the messages as one, which was written `at` that time if they don't say when."""
    sources = NumberedSources(
        (message.text for message in messages), (message.sources for message in messages)
    )
    texts, steps, length = list[str](), list[tuple[int, Step]](), 0
    for message in messages:
        text = without_nul(sources.in_place(message.text, message.sources))
        begin = length + BETWEEN_PARAGRAPHS if texts and text.strip() else length
        steps += _places(message, begin, sources)
        if text.strip():
            texts.append(text)
            length = begin + len(text)
    tools, left_out = exported_calls(steps)
    report.left_out[TOOLS] += left_out
    at = next((message.at for message in messages if message.at), at)
    model = next((message.model for message in reversed(messages) if message.model), "")
    attempt = Attempt("complete", without_nul(model)[:MODEL_LENGTH], at, length=length)
    return ExportedMessage(
        number,
        parent,
        "assistant",
        at,
        paragraphs(texts),
        without_nul(paragraphs(message.reasoning for message in messages)),
        attempts=[attempt] if model else [],
        sources=sources.exported(),
        tools=tools,
    )


def _places(
    message: ForeignMessage, begin: int, sources: NumberedSources
) -> list[tuple[int, Step]]:
    """Return the steps with their places in the answer, which begin with that of the message."""
    places, read = [], 0
    for step in message.steps:
        # What stands for a citation has another length than its number.
        part = sources.in_place(message.text[read : step.offset], message.sources)
        begin += len(without_nul(part))
        read = max(read, step.offset)
        places.append((begin, step))
    return places
