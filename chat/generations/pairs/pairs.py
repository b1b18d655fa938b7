"""Start pairs, find them, and decide them: which answer is better, and which one the chat follows.

Callers have checked access to the conversation.
"""

from django.db import transaction
from django.db.models import Q

from chat.conversations import access
from chat.conversations.models import Conversation, Message
from chat.database.prepared import PreparedQuery
from chat.errors import NotFound
from chat.generations.models import Generation
from chat.generations.pairs.errors import AnswersIncomplete, ComparisonDecided, ComparisonOpen
from chat.generations.pairs.models import AnswerPair, PairVote

_with_answer = PreparedQuery(
    lambda pk: AnswerPair.objects.filter(Q(answer_a=pk) | Q(answer_b=pk)).order_by("-pk")[:1]
)


def pair_with(answer_id: int) -> AnswerPair | None:
    """Return the newest pair that this answer belongs to."""
    return _with_answer.first(answer_id)


def pair_of(conversation: Conversation, pair_id: int) -> AnswerPair:
    """Return a pair of this conversation. Raise `NotFound`."""
    own = AnswerPair.objects.filter(
        question__conversation=conversation, question__deleted_at__isnull=True
    )
    pair = own.filter(pk=pair_id).first()
    if pair is None:
        raise NotFound
    return pair


def require_decided(answer_id: int) -> None:
    """Raise `ComparisonOpen` if a question would follow an answer whose model is still hidden."""
    pair = pair_with(answer_id)
    if pair and pair.hides_models:
        raise ComparisonOpen


@transaction.atomic
def decide(
    user_id: int, conversation: Conversation, pair_id: int, verdict: AnswerPair.Verdict
) -> AnswerPair:
    """Store the verdict on a blind pair, which shows its models; the better answer is chosen.

    A verdict is final, because the names are known from then on: raise `ComparisonDecided`. Raise
    `AnswersIncomplete` unless both answers have text.
    """
    access.conversation_of(user_id, conversation.pk, to_change=True)
    pair = pair_of(conversation, pair_id)
    if not pair.hides_models:
        raise ComparisonDecided
    if verdict != AnswerPair.Verdict.SKIPPED:
        _require_complete(pair)
        PairVote.objects.create(
            user_id=user_id,
            pair=pair.pk,
            model_a=pair.model_a,
            model_b=pair.model_b,
            verdict=verdict,
        )
    pair.verdict = verdict
    if verdict in AnswerPair.Side.values:
        pair.chosen = verdict
    pair.save(update_fields=["verdict", "chosen"])
    # Also of attempts that failed and were repeated.
    Generation.objects.filter(message__parent=pair.question_id).update(hides_model=False)
    return pair


@transaction.atomic
def choose(
    user_id: int, conversation: Conversation, pair_id: int, side: AnswerPair.Side
) -> AnswerPair:
    """Choose the answer that the chat goes on with. Raise `ComparisonOpen` before the vote."""
    access.conversation_of(user_id, conversation.pk, to_change=True)
    pair = pair_of(conversation, pair_id)
    if pair.hides_models:
        raise ComparisonOpen
    if pair.answer_at(side) is None:
        raise AnswersIncomplete
    pair.chosen = side
    pair.save(update_fields=["chosen"])
    return pair


def _require_complete(pair: AnswerPair) -> None:
    ids = [each for each in (pair.answer_a_id, pair.answer_b_id) if each]
    running = Generation.objects.filter(message__in=ids, state=Generation.State.RUNNING)
    written = Message.objects.filter(pk__in=ids, hidden_at=None).exclude(text="")
    if running.exists() or written.count() < 2:
        raise AnswersIncomplete
