"""Say which other answer an answer is compared with."""

from collections.abc import Sequence

import msgspec

from chat.conversations.models import Message
from chat.generations.pairs.models import AnswerPair
from chat.generations.pairs.pairs import pair_with
from chat.web.messages.message_out import MessageOut, PairOut


def with_pair(shown: MessageOut) -> MessageOut:
    """Return an answer with its pair, if it is compared with another one."""
    if shown.role != Message.Role.ASSISTANT or not shown.generation:
        return shown
    pair = pair_with(int(shown.id))  # type: ignore[arg-type]
    return msgspec.structs.replace(shown, pair=pair_out(pair, int(shown.id))) if pair else shown  # type: ignore[arg-type]


def pair_out(pair: AnswerPair, answer_id: int) -> PairOut:
    """Return the pair as the page with this answer sees it."""
    side = pair.side_of(answer_id)
    other = AnswerPair.Side.B if side == AnswerPair.Side.A else AnswerPair.Side.A
    return PairOut(
        id=pair.pk,
        side=side,
        beside=pair.answer_at(other) or 0,
        model="" if pair.hides_models else pair.model_at(other),
        is_blind=pair.hides_models,
        verdict=pair.verdict,
        chosen=pair.chosen,
    )


def chosen_instead(branch: Sequence[Message]) -> int | None:
    """Return the answer that was chosen over the one that ends the branch used last."""
    last = branch[-1] if branch else None
    if last is None or last.role != Message.Role.ASSISTANT:
        return None
    pair = pair_with(last.pk)
    chosen = pair.answer_at(pair.chosen) if pair and pair.chosen else None
    return chosen if chosen != last.pk else None
