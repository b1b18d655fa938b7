"""Group questions that had no good answer by what they mean.

A question joins the gap of the nearest one before it, by the vectors that the searches had anyway,
or else by the words that both have. A bit too many gaps are better than one that mixes meanings:
an answer closes a whole gap.
"""

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Substr

from chat.conversations.attached_files import split_files
from chat.database.housekeeping import isolated, left_out
from chat.lib.words import words_of
from chat.website_answers.models import Gap, UnansweredQuestion

#: Of a website, so many of the newest questions are compared.
COMPARED = 500
#: Two questions of one meaning are nearer to each other than a question is to its answer: they
#: have to cover this share of the way from `KNOWLEDGE_MIN_SIMILARITY` to the same vector.
VECTOR_SHARE = 0.6
#: Which share of the words that either of two questions has, both must have.
WORD_SHARE = 0.6
QUESTION_CHARACTERS = 2000
KIND = "unanswered_question"  # of work that may fail


def group_next() -> bool:
    """Group the next question; return whether there may be more."""
    waiting = UnansweredQuestion.objects.filter(gap=None).select_related("message")
    waiting = waiting.exclude(pk__in=left_out(KIND))
    question = waiting.order_by("message").first()
    if question is None:
        return False
    with isolated(KIND, question.pk):
        _group(question)
    return True


def remove_gone() -> None:
    """Delete gaps whose questions were deleted, and vectors of hidden ones. Run every minute."""
    Gap.objects.filter(questions=None).delete()
    hidden = UnansweredQuestion.objects.filter(message__hidden_at__isnull=False)
    hidden.exclude(vector=None).update(vector=None)


@transaction.atomic
def _group(question: UnansweredQuestion) -> None:
    gap = _nearest(question) or Gap.objects.create(site_id=question.site_id)
    asked_at = question.message.created_at
    if gap.state == Gap.State.ANSWERED and gap.closed_at and asked_at > gap.closed_at:
        # Its answer didn't help.
        Gap.objects.filter(pk=gap.pk).update(state=Gap.State.OPEN, closed_at=None)
    UnansweredQuestion.objects.filter(pk=question.pk).update(gap=gap)


def _nearest(question: UnansweredQuestion) -> Gap | None:
    others = UnansweredQuestion.objects.filter(site=question.site_id, gap__isnull=False)
    others = others.exclude(pk=question.pk).select_related("gap").order_by("-message")
    if question.vector:
        same_model = others.filter(embedding_model=question.embedding_model, vector__isnull=False)
        if found := _nearest_vector(question, same_model[:COMPARED]):
            return found
        others = others.filter(vector=None)
    return _nearest_words(question, others)


def _nearest_vector(
    question: UnansweredQuestion, others: QuerySet[UnansweredQuestion]
) -> Gap | None:
    import numpy as np  # which many processes never need

    own = bytes(question.vector or b"")
    vectors = [(each.gap, bytes(each.vector or b"")) for each in others]
    known = [(gap, vector) for gap, vector in vectors if len(vector) == len(own)]
    if not known:
        return None
    rows = np.frombuffer(b"".join(vector for _gap, vector in known), "i1").astype("f4")
    rows = rows.reshape(len(known), -1)
    wanted = np.frombuffer(own, "i1").astype("f4")
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(wanted)
    similarities = rows @ wanted / np.where(lengths > 0, lengths, 1)
    best = int(similarities.argmax())
    least = settings.KNOWLEDGE_MIN_SIMILARITY
    return known[best][0] if similarities[best] >= least + (1 - least) * VECTOR_SHARE else None


def _nearest_words(
    question: UnansweredQuestion, others: QuerySet[UnansweredQuestion]
) -> Gap | None:
    wanted = _words(question.message.text)
    if not wanted:
        return None
    beginning = Substr("message__text", 1, QUESTION_CHARACTERS)  # others may have megabytes
    texts = others.values_list("gap", beginning)[:COMPARED]
    shares = ((_share(wanted, _words(text)), gap_id) for gap_id, text in texts)
    share, gap_id = max(shares, key=lambda each: each[0], default=(0.0, 0))
    return Gap.objects.get(pk=gap_id) if share >= WORD_SHARE else None


def _words(text: str) -> set[str]:
    return set(words_of(question_in(text)[:QUESTION_CHARACTERS]))


def question_in(text: str) -> str:
    """Return what a visitor wrote, without the files that they added."""
    return split_files(text).text.strip()


def _share(wanted: set[str], words: set[str]) -> float:
    return len(wanted & words) / len(wanted | words)
