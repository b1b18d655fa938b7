"""Find the place of an answer in a pair that a member compares, and the model that writes it."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from chat.accounts.principals import Principal
from chat.conversations.models import Message
from chat.errors import BadRequest, Conflict, UnknownModel
from chat.generations.models import Generation
from chat.generations.pairs.models import AnswerPair
from chat.generations.pairs.pairs import pair_with, require_decided
from chat.generations.send.request import Send
from chat.generations.send.turn import Turn
from chat.lib.catalogue import Model
from chat.site_settings import effective
from chat.upstream import available_models

Side = AnswerPair.Side


@dataclass(frozen=True, slots=True)
class PairPlace:
    """One side of a pair, which may be new. Without a `side`, its answer is only continued."""

    pair: AnswerPair
    side: Side | None

    def keep(self, answer: Message) -> None:
        """Store that this answer has the place. Call it in the transaction that stores it."""
        if self.side is None:
            return
        name = "answer_a" if self.side == Side.A else "answer_b"
        setattr(self.pair, name, answer)
        if self.pair.pk:  # of which the verdict may have been stored meanwhile
            self.pair.save(update_fields=[name])
        else:
            self.pair.question_id = answer.parent_id or 0
            self.pair.save()


def place_of(principal: Principal, send: Send, model: Model, turn: Turn) -> PairPlace | None:
    """Return the place of the answer that a send asks for; None if it isn't compared.

    The messages of `turn` belong to the chat, unlike the numbers in `send`, which may be of
    messages of others. Raise `ComparisonOpen` for a question that follows an answer without a
    vote, and `BadRequest` if a visitor wants to compare: the model is their website's choice.
    """
    if principal.site and (send.beside is not None or send.compare_with is not None):
        raise BadRequest
    if send.beside is not None:
        return _beside(send, send.beside, model)
    if send.compare_with is not None:
        return _new_place(send, model)
    if turn.answer:
        pair = pair_with(turn.answer.pk)
        return PairPlace(pair, None) if pair and pair.hides_models else None
    if send.parent and turn.asking.parent_id:
        require_decided(turn.asking.parent_id)
    return None


def model_for(place: PairPlace, answer_id: int | None) -> str:
    """Return the model that is to write the answer in this place."""
    side = place.side or place.pair.side_of(answer_id or 0)
    return place.pair.model_at(side)


def _new_place(send: Send, model: Model) -> PairPlace:
    """Begin a pair with a new question. `model` is the one of the two that is asked first."""
    if send.is_blind and not effective.offers_blind_comparison():
        raise BadRequest(_("This site doesn't compare answers without names."))
    first, second = _id_of(send.model), _id_of(send.compare_with)
    if first == second:
        raise BadRequest(_("Choose two different models to compare."))
    other = second if model.id == first else first
    pair = AnswerPair(model_a=model.id, model_b=other, is_blind=send.is_blind)
    return PairPlace(pair, Side.A)


def _id_of(name: str | None) -> str:
    """Return the id of the model that a name leads to; of one that isn't offered, the name."""
    try:
        return available_models.find(name).id
    except UnknownModel:
        return name or ""


def _beside(send: Send, answer_id: int, model: Model) -> PairPlace:
    """Return the place beside an answer: the other one of its pair, or in a new pair."""
    pair = pair_with(answer_id)
    if pair is None or (send.model and not pair.hides_models):
        return _place_in_new_pair(answer_id, send, model)
    side = Side.B if pair.side_of(answer_id) == Side.A else Side.A
    taken = pair.answer_at(side)
    if taken and not _has_failed(taken):
        raise Conflict(_("There are two answers already."))
    return PairPlace(pair, side)


def _place_in_new_pair(answer_id: int, send: Send, model: Model) -> PairPlace:
    known = Generation.objects.filter(message=answer_id).order_by("-started_at").first()
    if known is None or not send.model:
        raise BadRequest(_("Choose two different models to compare."))
    pair = AnswerPair(answer_a_id=answer_id, model_a=known.model, model_b=model.id)
    return PairPlace(pair, Side.B)


def _has_failed(answer_id: int) -> bool:
    """Return whether an answer has ended without text, so that another attempt may replace it."""
    running = Generation.objects.filter(message=answer_id, state=Generation.State.RUNNING)
    return Message.objects.filter(pk=answer_id, text="").exists() and not running.exists()
