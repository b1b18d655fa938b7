"""Load the messages that rules check, without anything that these rules don't look at."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

from django.db.models import F, QuerySet, Sum
from django.db.models.functions import Coalesce

from chat.accounts.models import User
from chat.conversations.models import Message
from chat.conversations.sizes.row_batches import ByteLength, batches
from chat.conversations.tool_calls import calls as tool_calls
from chat.generations.models import Generation
from chat.review.case_models import PendingRuleCheck, Rule
from chat.review.models import ConversationStats
from chat.review.verdict_models import MessageVerdict

#: Of past messages, which may have megabytes each.
MAX_BYTES_AT_ONCE = 4_000_000
#: Comes after the ID of any message or flag.
NEWEST = (1 << 63) - 1
Kind = Rule.Kind


@dataclass(frozen=True, slots=True)
class RuleSubject:
    """A question or answer that rules check, with its cost."""

    message_id: int
    conversation_id: UUID
    owner_id: int
    role: str
    text: str
    answer_cost_usd: float = 0.0
    chat_cost_usd: float = 0.0
    tools: frozenset[str] = frozenset()  # that the answer has called
    verdict: Mapping[str, float] = field(default_factory=dict)  # probabilities; none if not judged
    #: The text as patterns compare it, by the function that makes it.
    normalised: dict[Callable[[str], str], str] = field(
        default_factory=dict, compare=False, repr=False
    )


class _Row(NamedTuple):
    message: int
    conversation: UUID
    owner: int
    role: str
    text: str


def present(messages: QuerySet[Message]) -> QuerySet[Message]:
    """Return those that are not deleted."""
    return messages.filter(deleted_at=None, conversation__purge_after=None)


def ids_before(message_id: int, most: int, most_bytes: int | None = None) -> list[int]:
    """Return the ids of the messages before one, newest first: as many as are loaded at once."""
    older = Message.objects.filter(pk__lt=message_id).order_by("-id")
    sizes = older.annotate(size=ByteLength(F("text"))).values_list("pk", "size")[:most]
    return _first(sizes, most, most_bytes or MAX_BYTES_AT_ONCE)


def pending_ids(most: int, most_bytes: int) -> list[int]:
    """Return the ids of new messages that rules have not seen, oldest first, as `ids_before`."""
    pending = PendingRuleCheck.objects.order_by("message").values_list("message", flat=True)
    ids = list(pending[:most])
    there = Message.objects.filter(pk__in=ids).annotate(size=ByteLength(F("text")))
    sizes = dict(there.values_list("pk", "size")) if ids else {}
    return _first([(each, sizes.get(each, 0)) for each in ids], most, most_bytes)


def _first(sizes: Iterable[tuple[int, int]], most: int, most_bytes: int) -> list[int]:
    step = batches(sizes, lambda row: row[1], most_bytes, most)
    return [pk for pk, _size in next(step, [])]


def load_subjects(
    messages: QuerySet[Message], rules: Collection[Rule], *, with_verdicts: bool = False
) -> Iterator[RuleSubject]:
    """Yield the messages that still exist; running answers are queued again when they end."""
    kinds = {rule.kind for rule in rules}
    values = present(messages).values_list(
        "id", "conversation", "conversation__owner", "role", "text"
    )
    rows = [_Row(*each) for each in values]
    ids = [each.message for each in rows]
    costs = _costs(ids) if Kind.ANSWER_COST in kinds else {}
    called = tool_calls.of_answers(ids) if Kind.TOOL in kinds else {}
    chats = _costs_of_chats(rows) if Kind.CHAT_COST in kinds else {}
    verdicts = _verdicts(rows) if with_verdicts or Kind.VERDICT in kinds else {}
    for each in rows:
        yield RuleSubject(
            *each,
            costs.get(each.message, 0.0),
            chats.get(each.conversation, 0.0),
            frozenset(call.tool for call in called.get(each.message, ())),
            verdicts.get(each.message, {}),
        )


def owners_for(rule: Rule, subjects: Iterable[RuleSubject]) -> set[int]:
    """Return those owners of the messages whom the rule applies to."""
    owners = {each.owner_id for each in subjects}
    if not (rule.members_id or rule.site_id):
        return owners
    users = User.all_objects.filter(pk__in=owners)
    if rule.members_id:
        users = users.filter(groups=rule.members_id)
    if rule.site_id:
        users = users.filter(visitor__site=rule.site_id)
    return set(users.values_list("pk", flat=True))


def _costs(ids: Sequence[int]) -> dict[int, float]:
    """Return the cost of each answer, all attempts included."""
    made = Generation.objects.filter(message__in=ids).values("message")
    return dict(made.annotate(cost=Coalesce(Sum("cost_usd"), 0.0)).values_list("message", "cost"))


def _verdicts(rows: Iterable[_Row]) -> dict[int, dict[str, float]]:
    """Return the verdicts on these messages, apart from those that were continued since."""
    texts = {each.message: each.text for each in rows}
    stored = MessageVerdict.objects.filter(message__in=texts)
    return {
        message_id: probabilities
        for message_id, probabilities, length in stored.values_list(
            "message", "probabilities", "characters"
        )
        if len(texts[message_id]) <= length
    }


def _costs_of_chats(rows: Iterable[_Row]) -> dict[UUID, float]:
    stats = ConversationStats.objects.filter(pk__in={each.conversation for each in rows})
    return dict(stats.values_list("pk", "cost_usd"))
