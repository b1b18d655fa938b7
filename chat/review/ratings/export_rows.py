"""Read ratings for an export, in pages. Texts are read with an entry in the access log."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from chat.conversations.models import Conversation
from chat.review.access import in_scope_of
from chat.review.access_log.staff_context import Kind, Seen, StaffContext, record_access
from chat.review.rating_models import RatingForm, StaffRating, StaffRatingText
from chat.review.ratings.subjects import rated_within

RATINGS_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class ExportedRating:
    """A rating, and what its rater wrote by question."""

    rating: StaffRating
    texts: dict[int, str]


@transaction.atomic
def read_ratings(
    staff_context: StaffContext, form: RatingForm, after: int, *, with_text: bool
) -> list[ExportedRating]:
    """Return the ratings after this one in the reader's scope, former ones included.

    Each chat whose texts are in it is logged as exported. Of erased chats there are none.
    """
    rows = StaffRating.objects.filter(rated_within(staff_context.reviewer), form=form)
    ratings = list(rows.filter(pk__gt=after).order_by("id")[:RATINGS_AT_ONCE])
    texts = dict(_texts(staff_context, ratings)) if with_text else {}
    return [ExportedRating(each, texts.get(each.pk, {})) for each in ratings]


def _texts(
    staff_context: StaffContext, ratings: Sequence[StaffRating]
) -> Iterator[tuple[int, dict[int, str]]]:
    in_scope = Conversation.all_objects.filter(in_scope_of(staff_context.reviewer))
    found = StaffRatingText.objects.filter(
        rating__in=[each.pk for each in ratings], conversation__in=in_scope
    )
    by_rating: dict[int, dict[int, str]] = {}
    chats: dict[UUID, None] = {}
    for each in found:
        by_rating.setdefault(each.rating, {})[each.question] = each.text
        chats[each.conversation_id] = None
    owners = {each.conversation: each.owner for each in ratings}
    seen = (Seen(owners[each], each) for each in chats)
    record_access(staff_context, Kind.EXPORTED, seen, "ratings")
    yield from by_rating.items()
