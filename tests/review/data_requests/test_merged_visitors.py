"""What refers to a visitor is of the known visitor once their website has told who it is."""

import time
from datetime import date, timedelta
from uuid import uuid4

import jwt
import pytest
from django.db import transaction
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.conversations.retention.models import ExpiryNotice
from chat.data_requests import erasure, record
from chat.data_requests.models import DataRequest
from chat.generations import visitor_merge
from chat.generations.deletion.soft_delete import delete_account
from chat.review.access_log.staff_context import Kind, Seen, record_access
from chat.review.case_models import Case, Flag
from chat.review.cases import flags
from chat.widget_sites import identity_keys, visitor_tokens, visitors
from chat.widget_sites.models import Visitor, WidgetSite
from chat.widget_sites.visits import visit_of
from tests.review.conftest import say, staff_context_of
from tests.support.generations.purge import sweep
from tests.support.widget.visitor_client import make_site

#: Each foreign key to an account that a visitor can have, and how it gets to the known visitor.
MOVED = {
    "chat.Conversation.owner": "visitor_merge",
    "chat.ConversationStats.owner": "a trigger on chats",
    "chat.ExpiryNotice.owner": "visitor_merge",
    "chat.Flag.person": "flags.move_reports",
    "chat.Generation.owner": "visitor_merge",
    "chat.ModerationWarning.person": "move_warnings",
    "chat.Rating.user": "visitor_merge",
    "chat.StoredImage.owner": "visitor_merge",
}
#: Of visitors, these stay as they are.
NOT_MOVED = {
    "chat.Charge.user": "charges name a visitor by a key, until their month is over",
    "chat.Visitor.user": "the stranger's own, which is removed with the account",
}
#: Only members have these: they sign in, or belong to staff or to a website's team.
OF_MEMBERS = {
    "account.EmailAddress.user", "admin.LogEntry.user", "chat.AnswerSnippet.written_by",
    "chat.ApiKey.owner", "chat.BlindVote.rater", "chat.Case.assignee", "chat.Case.resolved_by",
    "chat.ChatTag.owner", "chat.Collection.owner", "chat.DatasetItem.person",
    "chat.Document.added_by", "chat.EvaluationDataset.created_by",
    "chat.EvaluationRun.created_by", "chat.Limit.user", "chat.LinkRecipient.account",
    "chat.NoticeChoices.person", "chat.PairVote.user", "chat.Persona.owner",
    "chat.Project.owner", "chat.Prompt.owner", "chat.RatingForm.created_by",
    "chat.RatingSample.created_by", "chat.RatingSample.raters", "chat.RatingSample_raters.user",
    "chat.RatingTask.assignee", "chat.ReviewScope.reviewer", "chat.Rule.created_by",
    "chat.SavedSearch.owner", "chat.SharedLink.owner", "chat.SiteMember.user",
    "chat.StaffNote.author", "chat.StaffNote.resolved_by", "chat.StaffNotice.person",
    "chat.TeamInvitation.account", "chat.TeamProfile.user", "chat.UserSession.user",
    "chat.User_groups.user", "chat.User_user_permissions.user", "chat.WidgetSite.owner",
    "mfa.Authenticator.user", "socialaccount.SocialAccount.user",
}  # fmt: skip


@pytest.fixture
def shop(bob: User) -> WidgetSite:
    return make_site(bob)


@pytest.fixture
def vera(shop: WidgetSite) -> Visitor:
    """Return a visitor whom the website hasn't identified yet."""
    return visitors.make(shop)


def identify(vera: Visitor) -> Visitor:
    """Let the website identify vera, and the account she had before be removed a day later."""
    key, secret = identity_keys.make_secret(vera.site)
    now = int(time.time())
    claims = {"sub": "vera", "aud": vera.site.key, "iat": now, "exp": now + 300}
    token = jwt.encode(
        claims | {"jti": uuid4().hex}, secret, algorithm="HS256", headers={"kid": str(key.pk)}
    )
    visit = visit_of(vera.site.key, visitor_tokens.issue(vera).bearer)
    known = visitor_merge.identify_and_merge(visit, token).visitor
    Visitor.objects.filter(pk=vera.pk).update(last_seen_at=timezone.now() - timedelta(days=2))
    assert visitors.remove_idle() == 1
    return known


def request(visitor: Visitor, kind: str, due_on: date) -> DataRequest:
    return DataRequest.objects.create(
        person=visitor.user_id, kind=kind, received_on=due_on - timedelta(days=30), due_on=due_on
    )


def rows_of(part: str, visitor: Visitor) -> list[object]:
    found = next(each for each in record.PARTS if each.name == part)
    return list(found.rows(visitor.user_id))


def test_an_erasure_is_done_once_the_known_visitor_is_erased(vera: Visitor) -> None:
    say(vera.user, "My diagnosis is ...", "I see")
    request(vera, "erasure", date(2026, 2, 1))
    known = identify(vera)
    assert erasure.end_complete() == 0
    assert DataRequest.objects.get().person == known.user_id
    with transaction.atomic():
        delete_account(known.user)
    sweep()
    assert not Conversation.all_objects.exists()
    assert erasure.end_complete() == 1


def test_of_two_open_requests_of_a_kind_the_earlier_stays(vera: Visitor) -> None:
    known = visitors.find_by_subject(vera.site, "vera", "")
    for visitor, kind, day in (
        (vera, "copy", 2), (known, "copy", 1), (vera, "erasure", 3), (known, "erasure", 4),
    ):  # fmt: skip
        request(visitor, kind, date(2026, 2, day))
    identify(vera)
    left = DataRequest.objects.order_by("due_on").values_list("person", "kind", "due_on__day")
    assert list(left) == [(known.user_id, "copy", 1), (known.user_id, "erasure", 3)]


def test_requests_that_ended_are_of_the_known_visitor(vera: Visitor) -> None:
    ended = request(vera, "copy", date(2026, 2, 1))
    DataRequest.objects.update(state="done")
    request(vera, "copy", date(2026, 3, 1))
    known = identify(vera)
    assert set(DataRequest.objects.values_list("person", flat=True)) == {known.user_id}
    assert DataRequest.objects.filter(pk=ended.pk, state="done").exists()


def test_a_chat_that_was_announced_to_expire_still_does(vera: Visitor) -> None:
    chat = say(vera.user, "Q", "A")
    ExpiryNotice.objects.create(conversation=chat, owner=vera.user)
    known = identify(vera)
    assert ExpiryNotice.objects.get().owner_id == known.user_id


def test_reports_are_in_the_record_of_the_known_visitor(vera: Visitor) -> None:
    chat = say(vera.user, "Q", "A")
    flags.report(chat.pk, None, vera.user_id, "harmful", "That frightened me")
    Case.objects.create(former_owner=vera.user_id, erased_at=timezone.now())
    known = identify(vera)
    assert Flag.objects.get().person_id == known.user_id
    assert len(rows_of("reports", known)) == 1
    assert len(rows_of("cases", known)) == 2


def test_what_staff_read_before_is_in_the_record_of_the_known_visitor(
    vera: Visitor, lead: User
) -> None:
    chat = say(vera.user, "Q", "A")
    with transaction.atomic():
        record_access(staff_context_of(lead), Kind.READ, [Seen(vera.user_id, chat.pk)])
    assert len(rows_of("staff_access", identify(vera))) == 1


def test_every_reference_to_an_account_has_its_place_here() -> None:
    keys = {
        f"{each.related_model._meta.label}.{each.field.name}"
        for each in User._meta.get_fields(include_hidden=True)
        if each.auto_created and not each.concrete and each.related_model
    }
    known = {*MOVED, *NOT_MOVED, *OF_MEMBERS}
    assert keys == known
