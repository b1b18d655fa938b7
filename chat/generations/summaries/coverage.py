"""Choose which messages the next summary of a branch covers, and read them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from uuid import UUID

from chat.conversations import paths
from chat.conversations.models import Message
from chat.conversations.prompt import BYTES_PER_TOKEN, TOKENS_PER_MESSAGE
from chat.conversations.sizes.row_batches import ByteLength
from chat.conversations.sources import sources
from chat.conversations.summaries import summaries
from chat.conversations.summaries.models import ChatSummary
from chat.conversations.summaries.summaries import Claim
from chat.database.prepared import AnyOf, PreparedQuery
from chat.generations.summaries.summary_prompt import INSTRUCTIONS_TOKENS
from chat.lib.catalogue import Model

#: The newest messages stay as they are: as much as fits into this share of the answering model's
#: window, and at least so many questions with their answers.
KEPT_SHARE = 0.3
KEPT_EXCHANGES = 2
#: A summary may take an eighth of the answering model's window, and no more than this.
WINDOW_PART, MAX_SUMMARY_TOKENS = 8, 1500
#: What is read for one summary. The turns of a longer branch are summarised in several steps.
MAX_READ_TOKENS = 24_000
#: Of one message: half of what is read, so that an exchange always fits.
MESSAGE_PART = 2

_lengths = PreparedQuery(
    lambda ids: (
        Message.objects.filter(AnyOf("pk", ids))
        .order_by("pk")
        .values_list("pk", "role", ByteLength("text"))
    )
)
_texts = PreparedQuery(
    lambda ids: (
        Message.objects.filter(AnyOf("pk", ids), deleted_at=None)
        .order_by("pk")
        .values_list("pk", "role", "text")
    )
)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Limits in tokens: of what stays as it is, of what is read for a summary, and of it."""

    kept: int
    read: int
    written: int

    @property
    def message(self) -> int:
        return self.read // MESSAGE_PART - TOKENS_PER_MESSAGE


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question with its answers, as far as its size matters."""

    ids: list[int]
    sizes: list[int]

    def tokens(self, most: int | None = None) -> int:
        """Return an estimate of its tokens, of each message `most` at most."""
        return sum(min(each, most or each) + TOKENS_PER_MESSAGE for each in self.sizes)


def sizes_for(room_tokens: int, writing: Model) -> Sizes:
    """Return the limits for a prompt in so much of a window, and the model that summarises."""
    written = writing.max_answer_tokens(min(MAX_SUMMARY_TOKENS, room_tokens // WINDOW_PART))
    read = writing.prompt_window(written) - 2 * written - INSTRUCTIONS_TOKENS  # a former one
    return Sizes(int(room_tokens * KEPT_SHARE), min(MAX_READ_TOKENS, read), written)


def next_claim(conversation_id: UUID, leaf_id: int, sizes: Sizes) -> Claim | None:
    """Return what the next summary of the branch covers; None if there is nothing to summarise.

    It continues the last one of the branch, whose turns are not read again.
    """
    ids = paths.ids_to(leaf_id)
    known = summaries.on_branch(conversation_id, set(ids))
    former = known[-1].last_message_id if known else None
    done = ids.index(former) + 1 if former else 0
    exchanges = _exchanges(_lengths.all(ids[done:]))
    covered: list[int] = []
    left = sizes.read
    for each in exchanges[: len(exchanges) - _kept(exchanges, sizes.kept)]:
        left -= each.tokens(sizes.message)
        if left < 0:
            break
        covered += each.ids
    if not covered:
        return None
    return Claim(conversation_id, covered[-1], done + len(covered), former)


def read(claimed: Claim) -> tuple[str, list[tuple[str, str]]] | None:
    """Return the former summary and the roles and texts after it; None if it has been removed.

    The numbers of citations mean nothing to the next answer.
    """
    ids = paths.ids_to(claimed.last_id)
    former = ""
    if claimed.former_id is not None:
        row = ChatSummary.objects.filter(pk=claimed.former_id).first()
        if row is None:
            return None
        former, ids = row.text, ids[ids.index(claimed.former_id) + 1 :]
    rows = _texts.all(ids)
    texts = [(role, text) for _pk, role, text in rows]
    return former, sources.without_citations([pk for pk, _role, _text in rows], texts)


def _exchanges(rows: Sequence[tuple[int, str, int]]) -> list[Exchange]:
    exchanges: list[Exchange] = []
    for pk, role, size in rows:
        if role == Message.Role.USER or not exchanges:
            exchanges.append(Exchange([], []))
        exchanges[-1].ids.append(pk)
        exchanges[-1].sizes.append(-(-size // BYTES_PER_TOKEN))
    return exchanges


def _kept(exchanges: Sequence[Exchange], most_tokens: int) -> int:
    """Return how many of the newest exchanges stay as they are."""
    total = 0

    def fits(exchange: Exchange) -> bool:
        nonlocal total
        total += exchange.tokens()
        return total <= most_tokens

    return max(KEPT_EXCHANGES, sum(1 for _ in takewhile(fits, reversed(exchanges))))
