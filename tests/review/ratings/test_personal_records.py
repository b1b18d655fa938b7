"""A person's record has the scores and labels of their chats, without raters and their texts."""

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.data_requests.record import record_files
from chat.review.rating_models import RatingForm
from tests.support.review.ratings import rate_as


def test_a_persons_record_has_how_staff_rated_their_chats(
    form: RatingForm, chat: Conversation, reviewer: User, alice: User, bob: User
) -> None:
    rate_as(reviewer, form, chat, 2, "She seems tired", faults=(1,))
    files = {name: b"".join(pieces).decode() for name, _at, pieces in record_files(alice, [])}
    ratings = files["record/staff_ratings.json"]
    assert str(chat.pk) in ratings
    assert '"form_name":"Quality"' in ratings
    assert "How good is it?" in files["record/staff_rating_questions.json"]
    assert "She seems tired" not in "".join(files.values())
    assert reviewer.email not in "".join(files.values())
    others = {name: b"".join(pieces).decode() for name, _at, pieces in record_files(bob, [])}
    assert str(chat.pk) not in others["record/staff_ratings.json"]
