"""Turn the messages of another program into a conversation of ours.

Elsewhere, an answer may consist of several messages, with hidden ones between them, and may come
without a question. Here, each answer is one message that follows a question.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.conversations.models import TITLE_LENGTH
from chat.conversations.turns import title_from
from chat.import_export.exported_files import ExportedFiles
from chat.import_export.file_format import ConversationFile, ExportedMessage
from chat.import_export.foreign.files import ForeignFile
from chat.import_export.foreign.message import ForeignChat, ForeignMessage
from chat.import_export.foreign.parents import parents_of
from chat.import_export.foreign.values import message_note, without_nul
from chat.import_export.foreign.whole_answer import whole_answer
from chat.import_export.import_report import DAMAGED, LOST, ImportReport
from chat.lib.text import one_line

#: Answers that share a beginning repeat it; a file may not grow without limit by that.
MAX_GROWTH = 4
MIN_GROWN_CHARS = 100_000


DAMAGED_CHAT = gettext_lazy("It's damaged or has an unknown format.")


class NotImportable(Exception):
    """A chat can't be imported; the message says why."""


class ForeignConversation(ConversationFile, kw_only=True):
    """A chat whose files aren't in it yet (chat/import_export/imported_files.py)."""

    attached: dict[int, list[ForeignFile]] = {}  # by the place of their question
    exported_files: ExportedFiles | None = None  # those beside the chat


@dataclass(slots=True)
class _Turn:
    messages: list[ForeignMessage]
    parent: "_Turn | None"
    number: int
    at: datetime

    @property
    def files(self) -> list[ForeignFile]:
        return self.messages[0].files

    @property
    def order(self) -> tuple[datetime, int]:
        return self.at, self.number


def conversation_from(chat: ForeignChat, report: ImportReport) -> ForeignConversation:
    """Return the chat as one of ours; raise `NotImportable` if it has no messages."""
    known = [message.at for message in chat.messages if message.at]
    created_at = chat.created_at or min(known, default=None) or timezone.now()
    turns = _Turns(chat, created_at, report).in_order()
    if not turns:
        is_damaged = any(message.is_damaged for message in chat.messages)
        raise NotImportable(DAMAGED_CHAT if is_damaged else _("It has no messages."))
    first = next((turn.messages[0].text for turn in turns if turn.messages[0].role == "user"), "")
    return ForeignConversation(
        title=one_line(without_nul(chat.title))[:TITLE_LENGTH] or title_from(without_nul(first)),
        place=chat.place,
        created_at=created_at,
        updated_at=chat.updated_at or max(known, default=created_at),
        messages=list(_exported(turns, report)),
        attached={at: turn.files for at, turn in enumerate(turns) if turn.files},
    )


def _exported(turns: list[_Turn], report: ImportReport) -> Iterator[ExportedMessage]:
    numbers = {turn.number: place for place, turn in enumerate(turns, 1)}
    for place, turn in enumerate(turns, 1):
        parent = numbers[turn.parent.number] if turn.parent else None
        if turn.messages[0].role == "assistant":
            yield whole_answer(turn.messages, place, parent, turn.at, report)
        else:
            first = turn.messages[0]
            yield ExportedMessage(
                place, parent, "user", first.at or turn.at, without_nul(first.text)
            )


class _Turns:
    """Questions and whole answers, made from single messages."""

    def __init__(self, chat: ForeignChat, created_at: datetime, report: ImportReport) -> None:
        self._created_at = created_at
        self._current = chat.current
        self._report = report
        self._made: list[_Turn] = []
        self._turns: dict[str, _Turn | None] = {}  # by the key of their last message
        self._messages: dict[str, ForeignMessage] = {}
        for message in chat.messages:
            self._messages.setdefault(message.key, message)
        chars = sum(message.size for message in chat.messages)
        self._room = MAX_GROWTH * chars + MIN_GROWN_CHARS
        self._before: dict[str, ForeignMessage | None] = {}  # the one before it that matters
        report.left_out[DAMAGED] += sum(message.is_damaged for message in chat.messages)
        self._connect()

    def in_order(self) -> list[_Turn]:
        """Return the turns by time, each after its parent; the one to show comes last."""
        with_content = [self._messages[key] for key in self._before]
        with_content = [message for message in with_content if message.has_content]
        continued = set()
        for message in with_content:
            before = self._before[message.key]
            if message.role == "user":
                self._turn_of(message)
            elif before and before.role == "assistant":
                continued.add(before.key)
        for message in with_content:
            if message.key not in continued:
                self._turn_of(message)
        turns = sorted(self._made, key=attrgetter("order"))
        last = self._last(turns)
        return [*(turn for turn in turns if turn is not last), last] if last else turns

    def _connect(self) -> None:
        """Find out what each message follows, from the first ones to the last."""
        children: dict[str | None, list[ForeignMessage]] = {}
        for key, parent in parents_of(self._messages).items():
            children.setdefault(parent, []).append(self._messages[key])
        stack: list[tuple[ForeignMessage, ForeignMessage | None]] = []
        stack += [(message, None) for message in reversed(children.get(None, []))]
        while stack:
            message, before = stack.pop()
            self._before[message.key] = before
            matters = message.has_content or (message.is_damaged and not before)
            last = message if matters else before
            stack += [(each, last) for each in reversed(children.get(message.key, []))]

    def _turn_of(self, last: ForeignMessage) -> _Turn | None:
        """Return the turn that ends with `last`; None for an answer without a question."""
        if last.key in self._turns:
            return self._turns[last.key]
        messages = [last]
        before = self._before[last.key]
        while last.role == "assistant" and before and before.role == "assistant":
            self._use(before)
            messages.append(before)
            before = self._before[before.key]
        if last.role == "user" and before and before.is_damaged:
            before = None
        parent = self._turn_of(before) if before else None  # found already, if not refused
        if last.is_damaged:  # the question of an answer
            last.role, last.text = "user", message_note()
        elif last.role == "user" and not last.text.strip() and not last.files:
            last.text = message_note()
            self._report.left_out[DAMAGED] += 1
        turn = None
        if last.role == "user" or parent:
            at = max(messages[-1].at or self._created_at, parent.at if parent else self._created_at)
            turn = _Turn(messages[::-1], parent, len(self._made), at)
            self._made.append(turn)
        else:
            self._report.left_out[LOST] += len(messages)
        self._turns[last.key] = turn
        return turn

    def _use(self, message: ForeignMessage) -> None:
        self._room -= message.size + 1
        if self._room < 0:
            raise NotImportable(_("It's too large."))

    def _last(self, turns: list[_Turn]) -> _Turn | None:
        message = self._messages.get(self._current or "")
        if message and not message.has_content:
            message = self._before.get(message.key)
        turn = self._turns.get(message.key) if message else None
        latest = {each.parent.number: each for each in turns if each.parent}
        while turn and turn.number in latest:
            turn = latest[turn.number]
        return turn
