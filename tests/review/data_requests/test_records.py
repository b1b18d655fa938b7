"""A person's record has all that the site stores about them, and is signed and on record."""

import io
import json
from zipfile import ZipFile

import pytest
from django.test import Client
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.data_requests.models import DataRequest
from chat.data_requests.record import PARTS
from chat.evaluation import consent, datasets
from chat.generations.deletion.soft_delete import delete
from chat.quotas.models import Limit
from chat.review.access_log.staff_actions import StaffAction
from chat.review.cases import holds
from chat.review.models import AccessLogEntry
from chat.review.moderation import content
from chat.review.moderation.warnings import ModerationWarning
from chat.widget_sites import visitors
from chat.widget_sites.models import WidgetSite
from tests.review.conftest import SENTINEL, say, staff_context_of
from tests.support.review.data_requests import TODAY, archive_of, content_of, everything_in, page_of
from tests.support.review.member_pages import WHY

#: Where the record has what each table says about a person.
IN_THE_RECORD = {
    "account.EmailAddress": "account.json",
    "socialaccount.SocialAccount": "account.json",
    "chat.ApiKey": "account.json",
    "chat.User_groups": "record/groups.json",
    "chat.UserSession": "record/sign_ins.json",
    "mfa.Authenticator": "record/second_factors.json",
    "chat.Limit": "record/limits.json",
    "chat.WidgetSite": "record/websites.json",
    "chat.SiteMember": "record/website_teams.json",
    "chat.TeamProfile": "record/website_profiles.json",
    "chat.Visitor": "record/visits.json",
    "chat.Rating": "record/ratings.json",
    "chat.PairVote": "record/comparison_votes.json",
    "chat.Flag": "record/reports.json",
    "chat.ModerationWarning": "record/warnings.json",
    "chat.SavedSearch": "record/saved_searches.json",
    "chat.DatasetItem": "record/evaluation_copies.json",
    "chat.Persona": "personas.json",
    "chat.Prompt": "prompts.json",
    "chat.Project": "projects.json",
    "chat.ChatTag": "tags.json",
    "chat.SharedLink": "links.json",
    "chat.LinkRecipient": "record/links_received.json",
    "chat.Charge": "costs.json",
    "chat.Conversation": "conversations/",
    "chat.Generation": "conversations/",
    "chat.StoredImage": "images/",
    "chat.Collection": "collections/",
}
#: Why it leaves out what others say.
LEFT_OUT = {
    "admin.LogEntry": "what the person did as staff",
    "chat.ConversationStats": "is made from the chats",
    "chat.ExpiryNotice": "is made from the chats and the period",
    "chat.User_user_permissions": "rights of staff, which are in the audit log",
    "chat.ReviewScope": "rights of staff, which are in the audit log",
    "chat.RatingForm": "what the person did as staff",
    "chat.RatingSample": "what the person did as staff",
    "chat.RatingSample_raters": "what the person is to do as staff",
    "chat.RatingTask": "what the person is to do as staff",
    "chat.StaffNote": "what the person did as staff, about others",
    "chat.Rule": "what the person did as staff",
    "chat.Case": "what the person did as staff; cases about their own chats are in the record",
    "chat.StaffNotice": "notices of the work as staff",
    "chat.NoticeChoices": "notices of the work as staff",
    "chat.TeamInvitation": "the address is in account.json",
    "chat.EvaluationDataset": "what the person did as staff",
    "chat.EvaluationRun": "what the person did as staff",
    "chat.BlindVote": "what the person did as staff",
    "chat.Document": "documents that were added to the site's own collections belong to the site",
    "chat.AnswerSnippet": "answers of a website's team belong to the website",
}


def facts(archive: object, name: str) -> dict[str, object]:
    loaded: dict[str, object] = json.loads(archive.read(name))  # type: ignore[attr-defined]
    return loaded


def test_every_table_that_refers_to_a_person_is_in_the_record_or_left_out_for_a_reason() -> None:
    fields = User._meta.get_fields(include_hidden=True)
    tables = {
        each.related_model._meta.label  # type: ignore[union-attr]
        for each in fields
        if each.auto_created and not each.concrete
    }
    assert tables == {*IN_THE_RECORD, *LEFT_OUT}


@pytest.fixture
def known(hers: Conversation, alice: User, lead: User) -> Conversation:
    """Return alice's chat; the site knows some more about her."""
    Limit.objects.create(scope="member", user=alice, measure="messages", amount=7)
    ModerationWarning.objects.create(person=alice, text="Please mind your words")
    WidgetSite.objects.create(owner=alice, name="Shop of tides")
    AccessLogEntry.objects.create(
        reader=lead.pk, owner=alice.pk, conversation=hers.pk, kind="read", reason="Secret reason"
    )
    return hers


def test_the_record_has_the_persons_own_export_and_what_the_site_stores(
    officer_client: Client, known: Conversation, alice: User
) -> None:
    archive = archive_of(officer_client, alice.pk)
    names = archive.namelist()
    assert {f"record/{part.name}.json" for part in PARTS} < set(names)
    assert facts(archive, "account.json")["email"] == alice.email
    [chat] = [name for name in names if name.startswith("conversations/") and ".json" in name]
    assert f"{SENTINEL} answered" in archive.read(chat).decode()
    assert f"{SENTINEL} again" in archive.read("record/ratings.json").decode()
    assert f"{SENTINEL} reported" in archive.read("record/reports.json").decode()
    assert "Please mind your words" in archive.read("record/warnings.json").decode()
    assert "Shop of tides" in archive.read("record/websites.json").decode()
    [limit] = facts(archive, "record/limits.json")["limits"]  # type: ignore[misc]
    assert limit["amount"] == "7.00"
    assert facts(archive, "record/cases.json")["cases"]
    assert any(name.startswith("images/") for name in names)


def test_the_record_names_no_staff_and_gives_no_reasons_of_theirs(
    officer_client: Client, known: Conversation, alice: User, lead: User
) -> None:
    archive = archive_of(officer_client, alice.pk)
    read = archive.read("record/staff_access.json").decode()
    assert str(known.pk) in read
    everything = everything_in(archive)
    for word in ("Secret reason", lead.email, "Lena", "dora@", WHY):
        assert word not in everything, word


def test_a_visitors_record_says_what_their_website_knows(officer_client: Client, bob: User) -> None:
    site = WidgetSite.objects.create(owner=bob, name="Shop of tides")
    vera = visitors.find_by_subject(site, "customer-7", "Vera")
    say(vera.user, "Where is my parcel?")
    archive = archive_of(officer_client, vera.user.pk)
    [visit] = facts(archive, "record/visits.json")["visits"]  # type: ignore[misc]
    assert (visit["website"], visit["subject"], visit["visitor_name"]) == (
        "Shop of tides",
        "customer-7",
        "Vera",
    )
    assert any("Where is my parcel" in name for name in archive.namelist())


def test_nobody_elses_chats_are_in_the_record(
    officer_client: Client, alice: User, bob: User
) -> None:
    say(alice, "Mine alone")
    say(bob, "His alone")
    archive = archive_of(officer_client, bob.pk)
    everything = everything_in(archive)
    assert "His alone" in everything
    assert "Mine alone" not in everything
    assert alice.email not in everything


def test_deleted_chats_are_in_the_record_while_they_are_on_legal_hold(
    officer_client: Client, alice: User
) -> None:
    held, gone = say(alice, "Held as evidence"), say(alice, "Gone for good")
    holds.hold(held.pk)
    for chat in (held, gone):
        delete(chat)
        Conversation.all_objects.filter(pk=chat.pk).update(purge_after=timezone.now())
    names = " ".join(archive_of(officer_client, alice.pk).namelist())
    assert "Held as evidence" in names
    assert "Gone for good" not in names


@pytest.mark.parametrize("how", ["hidden", "deleted"])
def test_copies_for_evaluation_show_nothing_that_was_hidden_or_deleted(
    officer_client: Client, alice: User, lead: User, administrator: User, how: str
) -> None:
    consent.set_consent(alice, is_given=True)
    chat = say(alice, "Where do rivers begin?", "In a secret cave.")
    answer = chat.messages.last()
    assert answer
    by = staff_context_of(administrator)
    datasets.copy_turn(by, datasets.create(by, "Rivers"), chat.pk, answer.pk)
    assert "secret cave" in everything_in(archive_of(officer_client, alice.pk))
    if how == "hidden":
        content.hide(staff_context_of(lead), chat.pk, answer.pk)
    else:
        delete(chat)
    assert "secret cave" not in everything_in(archive_of(officer_client, alice.pk))


def test_each_chat_in_the_record_is_in_the_access_log(
    officer_client: Client, officer: User, alice: User
) -> None:
    chats = {say(alice, f"Chat {number}").pk for number in range(3)}
    archive_of(officer_client, alice.pk)
    rows = AccessLogEntry.objects.filter(kind="exported", owner=alice.pk, reader=officer.pk)
    assert set(rows.values_list("conversation", flat=True)) == {None, *chats}
    assert set(rows.values_list("reason", flat=True)) == {WHY}
    action = StaffAction.objects.get(kind="data_exported")
    request = DataRequest.objects.get()
    assert (action.person, action.detail) == (alice.pk, f"copy {request.pk}")
    assert (request.state, request.ended_by) == ("done", officer.pk)


def test_a_chat_that_is_imported_meanwhile_is_not_in_the_record(
    officer_client: Client, alice: User
) -> None:
    say(alice, "There before")
    response = officer_client.post(f"{page_of(alice.pk)}record.zip", TODAY)
    added = say(alice, "Added meanwhile")
    Conversation.objects.filter(pk=added.pk).update(created_at="2020-01-01T00:00Z")
    names = " ".join(ZipFile(io.BytesIO(content_of(response))).namelist())
    assert "There before" in names
    assert "Added meanwhile" not in names


def test_who_loses_the_right_gets_no_more_of_it(
    officer_client: Client, officer: User, alice: User
) -> None:
    response = officer_client.post(f"{page_of(alice.pk)}record.zip", TODAY)
    officer.user_permissions.clear()
    with pytest.raises(Exception, match=r".*"):  # the connection is cut, so it can't look whole
        content_of(response)
