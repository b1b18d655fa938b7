"""Define rating forms, what staff rate with them, and the samples that are drawn for it.

A rating is evidence, so its row is never changed: rating again adds a row, and the latest one of a
rater counts. It has numbers only, and IDs instead of foreign keys, so it outlives chats and
accounts. What a rater wrote may quote the chat, and is deleted with it.
"""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.review.append_only import AppendOnly

RATING_FORM_NAME_LENGTH = 60
QUESTION_LENGTH = 200
LABEL_LENGTH = 60
RATING_TEXT_LENGTH = 4000
MODEL_LENGTH = 200
WHOLE_CHAT = 0  # as the message of a task


class RatingForm(models.Model):
    """Questions that staff answer about chats or answers.

    Its group and website are IDs, not foreign keys, because a form that has ratings stays when they
    are deleted. With neither, and no model, it is about everything.
    """

    name = models.CharField(max_length=RATING_FORM_NAME_LENGTH)
    members = models.BigIntegerField(null=True)  # the group whose members' chats it is about
    site = models.BigIntegerField(null=True)  # the website whose visitors' chats it is about
    model = models.CharField(max_length=MODEL_LENGTH, blank=True)
    is_enabled = models.BooleanField(default=True)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("name", "id")

    def __str__(self) -> str:
        return self.name


class RatingQuestion(models.Model):
    """One question. Once a form has ratings, a changed question is a new row that replaces it."""

    class Kind(models.TextChoices):
        FIVE = "five", _("Score from 1 to 5")
        TEN = "ten", _("Score from 0 to 10")
        LABEL = "label", _("One label of a list")
        LABELS = "labels", _("Any labels of a list")
        TEXT = "text", _("Text")

    form = models.ForeignKey(RatingForm, on_delete=models.CASCADE, related_name="questions")
    position = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=QUESTION_LENGTH)
    kind = models.CharField(max_length=6, choices=Kind.choices)
    # Of a score: what its ends mean.
    least_label = models.CharField(max_length=LABEL_LENGTH, blank=True)
    most_label = models.CharField(max_length=LABEL_LENGTH, blank=True)
    labels = models.JSONField(default=list)  # ratings have their places in this list
    replaces = models.BigIntegerField(null=True)  # the former version of the question
    retired_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("position", "id")

    def __str__(self) -> str:
        return self.text

    @property
    def is_score(self) -> bool:
        return self.kind in {self.Kind.FIVE, self.Kind.TEN}

    @property
    def scale(self) -> range:
        """Return the values that an answer may have: scores, or places in the list of labels."""
        if self.is_score:
            return range(1, 6) if self.kind == self.Kind.FIVE else range(11)
        return range(len(self.labels))


class StaffRating(AppendOnly):
    """What one staff member said in a form about a chat or an answer, without any text."""

    form = models.ForeignKey(RatingForm, on_delete=models.PROTECT, related_name="ratings")
    rater = models.BigIntegerField()
    conversation = models.UUIDField()
    message = models.BigIntegerField(null=True)  # None: the whole chat
    # By question: a score, or a list of places in its labels.
    answers = models.JSONField()
    # Settles a disagreement of others, and counts instead of their ratings.
    is_decision = models.BooleanField(default=False)
    at = models.DateTimeField(default=timezone.now)
    # As they were then, for figures and scopes.
    owner = models.BigIntegerField()
    groups = models.TextField(default=" ")  # " 3 7 ": those of the owner
    site = models.BigIntegerField(null=True)  # that the owner visits
    persona = models.UUIDField(null=True)
    model = models.CharField(max_length=MODEL_LENGTH, blank=True)  # of the answer

    class Meta:
        indexes = [
            models.Index(fields=["form", "at"], name="staff_ratings_by_form"),
            models.Index(fields=["conversation"], name="staff_ratings_by_chat"),
            models.Index(fields=["owner"], name="staff_ratings_by_owner"),
        ]

    def __str__(self) -> str:
        return f"rating {self.pk}"


class StaffRatingText(models.Model):
    """What a rater wrote. It may quote the chat, so it is deleted with it, like notes."""

    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="staff_rating_texts"
    )
    rating = models.BigIntegerField(db_index=True)
    question = models.BigIntegerField()
    text = models.TextField(max_length=RATING_TEXT_LENGTH)

    def __str__(self) -> str:
        return f"text of rating {self.rating}"


class RatingSample(models.Model):
    """A schedule that draws chats or answers at random, for staff to rate them."""

    class Unit(models.TextChoices):
        ANSWERS = "answers", _("Answers")
        CHATS = "chats", _("Chats")

    class Period(models.TextChoices):
        DAY = "day", _("Every day, from the day before")
        WEEK = "week", _("Every Monday, from the week before")

    form = models.ForeignKey(RatingForm, on_delete=models.CASCADE, related_name="samples")
    unit = models.CharField(max_length=7, choices=Unit.choices, default=Unit.ANSWERS)
    period = models.CharField(max_length=4, choices=Period.choices, default=Period.DAY)
    # One of the two is set.
    percent = models.FloatField(null=True)
    count = models.PositiveIntegerField(null=True)
    # Of what is drawn, this percentage goes to two raters.
    second_percent = models.FloatField(default=0)
    # The search that limits it, as it was when it was chosen, and what it was called.
    facets = models.JSONField(default=dict)
    search_name = models.CharField(max_length=60, blank=True)
    raters = models.ManyToManyField(User, blank=True, related_name="+")
    is_enabled = models.BooleanField(default=True)
    # Draws with the scope of this person, who must still be a lead.
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    drawn_through = models.DateField(null=True)  # the last day that the schedule has drawn from

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"sample {self.pk}"


class SampleDraw(models.Model):
    """One draw, with what is needed to repeat it: the seed, and of how many it picked how many."""

    sample = models.ForeignKey(RatingSample, on_delete=models.CASCADE, related_name="draws")
    first = models.DateField()
    last = models.DateField()
    seed = models.CharField(max_length=32)
    population = models.PositiveIntegerField()  # all that the search matches
    available = models.PositiveIntegerField()  # without what was picked before
    picked = models.PositiveIntegerField()
    by = models.BigIntegerField(null=True)  # None: the schedule
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"draw {self.pk}"


class RatingTask(models.Model):
    """A chat or answer that a sample has picked, for one rater. With a second opinion, it has two.

    It goes with its chat. The rating that ends it stays.
    """

    form = models.ForeignKey(RatingForm, on_delete=models.CASCADE, related_name="tasks")
    draw = models.ForeignKey(SampleDraw, on_delete=models.CASCADE, related_name="tasks")
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="rating_tasks"
    )
    message = models.BigIntegerField(default=WHOLE_CHAT)
    turn = models.PositiveSmallIntegerField(default=1)  # 2: the second opinion
    assignee = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="rating_tasks"
    )
    done_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(
                fields=["form", "conversation", "message", "turn"], name="one_rating_task_of_each"
            )
        ]
        indexes = [
            models.Index(
                fields=["assignee", "id"],
                condition=models.Q(done_at=None),
                name="rating_tasks_to_do",
            )
        ]

    def __str__(self) -> str:
        return f"rating task {self.pk}"
