"""Write a program's messages as the turns of a conversation, and recognise a history. Pure.

A conversation has texts of a user and of a model, in turn. So what a program sends at once becomes
one question, results of tools included, and calls of tools become a part of the answer's text.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from chat.conversations.models import Message
from chat.conversations.prompt import PromptMessage
from chat.lib.text import clean

QUESTION, ANSWER = Message.Role.USER.value, Message.Role.ASSISTANT.value


class ProgramTurn(NamedTuple):
    role: str
    text: str


def turns_of(messages: Iterable[PromptMessage]) -> list[ProgramTurn]:
    """Return the turns of a conversation: a question, an answer, and so on.

    Instructions are left out. A question is empty if there was none.
    """
    turns = [each for each in messages if each.role != "system"]
    names = {call["id"]: _name(call) for each in turns for call in each.tool_calls}
    merged: list[ProgramTurn] = []
    for is_answer, some in groupby(turns, key=lambda each: each.role == "assistant"):
        texts = [answer_text(each) if is_answer else _question_text(each, names) for each in some]
        if is_answer and not merged:
            merged.append(ProgramTurn(QUESTION, ""))
        merged.append(ProgramTurn(ANSWER if is_answer else QUESTION, _joined(texts)))
    if merged and merged[-1].role == ANSWER:
        merged.append(ProgramTurn(QUESTION, ""))
    return merged


def instructions_in(messages: Iterable[PromptMessage]) -> str:
    return _joined(each.content for each in messages if each.role == "system")


def answer_text(answer: PromptMessage) -> str:
    """Return the text of an answer, with its tool calls as Markdown."""
    return _joined([answer.content, *map(_called, answer.tool_calls)])


def digest_of(key_id: int, turns: list[ProgramTurn]) -> str:
    """Identify a history of one key's calls."""
    return hashlib.sha256(msgspec.json.encode([key_id, *turns])).hexdigest()


def history_in(turns: list[ProgramTurn]) -> list[ProgramTurn]:
    """Return the turns that the program repeats: all but the new question."""
    return turns[:-1]


def _question_text(message: PromptMessage, names: Mapping[str, str]) -> str:
    text = message.without_images().content
    if message.role != "tool":
        return text
    return f"Result of {names.get(message.tool_call_id, 'a tool')}:\n{text}"


def _called(call: Mapping[str, Any]) -> str:
    """Return a tool call as Markdown, in a code block that its arguments can't end."""
    arguments = _plain(call["function"]["arguments"])
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", arguments)), 3)
    return f"Call of `{_name(call)}`:\n\n{fence}json\n{arguments}\n{fence}"


def _plain(arguments: str) -> str:
    """Return the arguments in one form, because some clients write the JSON anew."""
    try:
        return json.dumps(json.loads(arguments), ensure_ascii=False)
    except (ValueError, RecursionError):
        return arguments


def _name(call: Mapping[str, Any]) -> str:
    return str(call["function"]["name"]).replace("`", "'")


def _joined(texts: Iterable[str]) -> str:
    return clean("\n\n".join(filter(None, (text.strip() for text in texts))))
