"""Pairs of answers that a member compares, and the votes on those whose models were hidden."""

from django.db import models
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Message

MODEL_LENGTH = 200


class AnswerPair(models.Model):
    """Two answers to one question, shown beside each other as A and B.

    `answer_b` is missing until its model has accepted the question. If `is_blind`, the generations
    of both hide their models until there is a verdict (`Generation.hides_model`).
    """

    class Side(models.TextChoices):
        A = "a"
        B = "b"

    class Verdict(models.TextChoices):
        A_BETTER = "a"
        B_BETTER = "b"
        BOTH_GOOD = "good"
        BOTH_BAD = "bad"
        SKIPPED = "skipped"  # the models were shown without a vote

    question = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="pairs")
    answer_a = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="+")
    answer_b = models.ForeignKey(Message, on_delete=models.CASCADE, null=True, related_name="+")
    model_a = models.CharField(max_length=MODEL_LENGTH)
    model_b = models.CharField(max_length=MODEL_LENGTH)
    is_blind = models.BooleanField(default=False)
    verdict = models.CharField(max_length=7, choices=Verdict.choices, blank=True)
    chosen = models.CharField(max_length=1, choices=Side.choices, blank=True)  # the chat goes on
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"pair {self.pk}"

    @property
    def hides_models(self) -> bool:
        return self.is_blind and not self.verdict

    def side_of(self, answer_id: int) -> str:
        return self.Side.A if answer_id == self.answer_a_id else self.Side.B

    def answer_at(self, side: str) -> int | None:
        """Return the id of the answer on this side."""
        return self.answer_a_id if side == self.Side.A else self.answer_b_id

    def model_at(self, side: str) -> str:
        return self.model_a if side == self.Side.A else self.model_b


class PairVote(models.Model):
    """A member's vote on two answers whose models were hidden. Votes are added, never changed.

    It has no text, and outlives the chat, but not the account.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    pair = models.BigIntegerField(unique=True)  # a plain number, as it outlives the pair
    model_a = models.CharField(max_length=MODEL_LENGTH)
    model_b = models.CharField(max_length=MODEL_LENGTH)
    verdict = models.CharField(max_length=7, choices=AnswerPair.Verdict.choices)
    voted_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"vote on pair {self.pair}"
