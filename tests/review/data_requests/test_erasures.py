"""An erasure on request leaves nothing but what is held, and is certified once it is complete."""

import io
import json
from zipfile import ZipFile

import pytest
from django.core import mail
from django.db import transaction
from django.test import Client
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.data_requests import erasure
from chat.data_requests.models import DataRequest
from chat.generations.deletion.soft_delete import delete_account
from chat.inbox.models import VisitorDetails, VisitorEmail
from chat.review.access_log.staff_actions import StaffAction
from chat.review.cases import holds
from chat.widget_sites import visitor_tokens, visitors
from chat.widget_sites.models import Visitor, VisitorToken, WidgetSite
from tests.review.conftest import give, say
from tests.support.generations.purge import sweep
from tests.support.review.data_requests import TODAY, content_of, page_of
from tests.support.review.member_pages import WHY
from tests.support.widget.visitor_client import make_site


def erase(client: Client, person: User) -> DataRequest:
    response = client.post(f"{page_of(person.pk)}erasure/", TODAY)
    assert response.status_code == 302, response.content
    return DataRequest.objects.get(person=person.pk, kind="erasure")


def certificate_of(client: Client, request: DataRequest) -> dict[str, object]:
    path = f"{page_of(request.person)}{request.pk}/certificate.zip"
    archive = ZipFile(io.BytesIO(content_of(client.get(path))))
    facts: dict[str, object] = json.loads(archive.read("certificate.json"))
    return facts


def test_a_person_is_erased_and_the_certificate_says_what_was(
    officer_client: Client, officer: User, alice: User, bob: User
) -> None:
    say(alice, "Why do tides turn?", "Because of the moon")
    say(bob, "His own")
    request = erase(officer_client, alice)
    assert request.state == "erasing"
    assert User.all_objects.get(pk=alice.pk).closed_at
    sweep()
    assert erasure.end_complete() == 1
    request.refresh_from_db()
    assert (request.state, request.ended_by) == ("done", officer.pk)
    assert not User.all_objects.filter(pk=alice.pk).exists()
    assert Conversation.all_objects.get().owner_id == bob.pk
    facts = certificate_of(officer_client, request)
    assert facts["person"] == alice.pk
    assert facts["erased"]["chats"] == 1  # type: ignore[index]
    assert facts["erased"]["messages"] == 2  # type: ignore[index]
    assert facts["complete_at"]
    assert alice.email not in json.dumps(facts)


def test_the_person_is_told_and_the_erasure_is_on_record(
    officer_client: Client, officer: User, alice: User
) -> None:
    address = alice.email
    request = erase(officer_client, alice)
    assert [each.to for each in mail.outbox] == [[address]]
    action = StaffAction.objects.get(kind="account_deleted")
    assert (action.actor, action.person) == (officer.pk, alice.pk)
    assert (action.reason, action.detail) == (WHY, f"data request {request.pk}")


def test_there_is_no_certificate_before_everything_is_erased(
    officer_client: Client, alice: User
) -> None:
    held = say(alice, "Evidence")
    holds.hold(held.pk)
    say(alice, "Anything else")
    request = erase(officer_client, alice)
    path = f"{page_of(alice.pk)}{request.pk}/certificate.zip"
    sweep()
    erasure.end_complete()
    request.refresh_from_db()
    assert request.state == "erasing"
    assert officer_client.get(path).status_code == 404
    assert [each.pk for each in Conversation.all_objects.all()] == [held.pk]
    Conversation.all_objects.update(held_at=None, purge_after=timezone.now())
    sweep()
    erasure.end_complete()
    assert certificate_of(officer_client, request)["erased"]["chats_on_legal_hold"] == 1  # type: ignore[index]


def test_the_page_says_what_is_held_before_the_question(
    officer_client: Client, alice: User
) -> None:
    holds.hold(say(alice, "Evidence").pk)
    page = officer_client.get(page_of(alice.pk)).content.decode()
    assert "1 chat is on legal hold." in page
    assert "Evidence" not in page


def test_the_page_says_that_websites_go_with_their_visitors_chats(
    officer_client: Client, alice: User
) -> None:
    WidgetSite.objects.create(owner=alice, name="Shop")
    page = officer_client.get(page_of(alice.pk)).content.decode()
    assert "1 website of this person is erased with all chats of its visitors." in page


def test_a_visitor_is_erased_and_unknown_to_the_website_afterwards(
    officer_client: Client, bob: User
) -> None:
    site = WidgetSite.objects.create(owner=bob, name="Shop")
    known = visitors.find_by_subject(site, "customer-7", "Vera")
    visitor_tokens.issue(known)
    say(known.user, "Where is my parcel?")
    request = erase(officer_client, known.user)
    assert not VisitorToken.objects.exists()
    assert Visitor.objects.get().name == ""
    sweep()
    erasure.end_complete()
    request.refresh_from_db()
    assert request.state == "done"
    assert not Visitor.objects.exists()
    assert not Conversation.all_objects.exists()
    assert mail.outbox == []  # a visitor's account has no address


@pytest.mark.parametrize(
    "permission", ["review", "lead_review", "administer_review", "protect_data"]
)
def test_staff_are_only_erased_by_those_above_them(
    officer_client: Client, bob: User, permission: str
) -> None:
    give(bob, permission)
    for part in ("record.zip", "erasure/"):
        assert officer_client.post(f"{page_of(bob.pk)}{part}", TODAY).status_code == 403
    assert not DataRequest.objects.exists()
    page = officer_client.get(page_of(bob.pk)).content.decode()
    assert "Erase this person" not in page


def test_nobody_answers_their_own_request(officer_client: Client, officer: User) -> None:
    for part in ("record.zip", "erasure/"):
        assert officer_client.post(f"{page_of(officer.pk)}{part}", TODAY).status_code == 403


def test_an_erased_person_cant_be_erased_again(officer_client: Client, alice: User) -> None:
    erase(officer_client, alice)
    assert officer_client.post(f"{page_of(alice.pk)}erasure/", TODAY).status_code == 404
    assert officer_client.post(f"{page_of(alice.pk)}record.zip", TODAY).status_code == 404
    page = officer_client.get(page_of(alice.pk)).content.decode()
    assert "Being erased" in page


def test_a_request_goes_on_when_its_owner_deletes_the_account_themselves(
    officer_client: Client, alice: User
) -> None:
    say(alice, "Why do tides turn?", "Because of the moon")
    request = DataRequest.objects.create(
        person=alice.pk, kind="erasure", received_on="2026-01-02", due_on="2026-02-01"
    )
    with transaction.atomic():
        delete_account(alice)
    request.refresh_from_db()
    assert request.state == "erasing"
    sweep()
    assert erasure.end_complete() == 1
    facts = certificate_of(officer_client, request)
    assert facts["erased"]["messages"] == 2  # type: ignore[index]
    assert facts["account_closed_at"]
    request.refresh_from_db()
    assert (request.state, request.ended_by) == ("done", None)


def test_a_request_ends_when_the_visitors_website_is_deleted(bob: User) -> None:
    site = WidgetSite.objects.create(owner=bob, name="Shop of tides")
    vera = visitors.find_by_subject(site, "customer-7", "Vera")
    DataRequest.objects.create(
        person=vera.user.pk, kind="erasure", received_on="2026-01-02", due_on="2026-02-01"
    )
    vera.user.delete()
    assert erasure.end_complete() == 1
    assert DataRequest.objects.get().state == "done"


def test_what_a_visitor_entered_is_gone_at_once_though_a_chat_is_held(
    officer_client: Client, bob: User
) -> None:
    vera = visitors.make(make_site(bob))
    VisitorDetails.objects.create(visitor=vera, name="Vera Smith", email="vera@example.org")
    chat = say(vera.user, "Evidence", "An answer")
    VisitorEmail.objects.create(conversation=chat, address="vera@example.org", language="en")
    holds.hold(chat.pk)
    erase(officer_client, vera.user)
    assert not VisitorDetails.objects.exists()
    assert not VisitorEmail.objects.exists()
    sweep()
    assert Conversation.all_objects.filter(pk=chat.pk).exists()
