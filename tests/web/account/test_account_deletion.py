"""Deleting an account: closed at once, and all its data purged soon."""

import asyncio
import json
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from asgiref.sync import sync_to_async
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.test import AsyncClient, Client, override_settings

from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.accounts.sessions.session_store import SessionStore, UserSession
from chat.conversations.models import Conversation
from chat.conversations.sizes import row_batches
from chat.generations.deletion import purge
from chat.generations.deletion.soft_delete import delete_account
from chat.generations.models import Generation
from chat.projects.models import Project
from chat.quotas import anonymous_charges
from chat.quotas.models import Charge, Limit, Meter
from chat.review.access_log.staff_actions import StaffAction
from tests.import_export.trees import new_conversation
from tests.support.generations.follow import endless
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.upstream_override import site_with
from tests.support.wait_for import PATIENCE_SECONDS, written
from tests.support.web.signed_in import signed_in, signed_in_client

PATH = "/settings/delete-account/"
PASSWORD = "correct horse"
SENTINEL = "zanzibar"


def leave(browser: Client, password: str = PASSWORD) -> Any:
    return browser.post(PATH, {"password": password})


def sweep() -> None:
    for _ in purge.steps():
        pass


def test_the_page_lists_what_is_deleted(alice: User) -> None:
    new_conversation(alice)
    new_conversation(alice)
    page = signed_in(alice).get(PATH).content.decode()
    assert "2 chats are deleted" in page
    assert "This can't be undone." in page
    assert "/settings/export.zip" in page


def test_the_password_is_required(alice: User) -> None:
    browser = signed_in(alice)
    for password in ("", "wrong"):
        response = leave(browser, password)
        assert response.status_code == 422
    alice.refresh_from_db()
    assert alice.is_active
    assert alice.closed_at is None


def test_guessing_the_password_is_limited(alice: User) -> None:
    browser = signed_in(alice)
    with override_settings(ACCOUNT_RATE_LIMITS={"reauthenticate": "3/m/user"}):
        statuses = [leave(browser, "guess").status_code for _ in range(4)]
    cache.clear()
    assert statuses == [422, 422, 422, 429]


def test_all_sessions_end_at_once(alice: User) -> None:
    here, elsewhere = signed_in(alice), signed_in(alice)
    response = leave(here)
    assert response["Location"] == "/accounts/login/"
    assert response["Clear-Site-Data"] == '"cache", "storage"'
    assert "Account deleted." in here.get("/accounts/login/").content.decode()
    for browser in (here, elsewhere):
        assert browser.get("/chat/").status_code == 302
    again = Client().post("/accounts/login/", {"login": alice.email, "password": PASSWORD})
    assert again.status_code == 200  # the form, with an error


def test_the_address_can_be_used_for_a_new_account(alice: User) -> None:
    leave(signed_in(alice))
    words = "a quiet reading room"
    new = {"email": "alice@example.org", "password1": words, "password2": words}
    browser = Client()
    assert browser.post("/accounts/signup/", new)["Location"] == "/chat/"
    sweep()
    assert browser.get("/chat/").status_code == 200
    assert User.objects.get(email="alice@example.org").pk != alice.pk


def make_superuser(user: User) -> None:
    user.is_superuser = True
    user.save()


def test_the_only_administrator_cannot_delete_their_account(alice: User, rita: User) -> None:
    make_superuser(alice)
    browser = signed_in(alice)
    assert "You are the only administrator." in browser.get(PATH).content.decode()
    leave(browser)
    assert User.objects.get(pk=alice.pk).is_active
    make_superuser(rita)
    assert leave(browser).status_code == 302
    row = StaffAction.objects.latest("id")
    assert (row.actor, row.kind, row.detail) == (alice.pk, "rights_changed", "− superuser")


async def test_running_answers_and_their_streams_end(
    alice: User, alice_client: AsyncClient
) -> None:
    async with site_with(endless()) as raw:
        response = await send(alice_client, text="Go")
        await written(response)
        gone = await alice_client.post(PATH, {"password": PASSWORD})
        assert gone.status_code == 302
        async with asyncio.timeout(PATIENCE_SECONDS):
            await raw.closed.wait()
            stream = await read_stream(response)
    assert stream.key("state") == "stopped"
    assert not await Conversation.objects.aexists()


def everywhere() -> list[str]:
    """Return each row of each table that contains the sentinel, with sessions decoded."""
    found = []
    for model in apps.get_models(include_auto_created=True):
        for row in model._base_manager.all():
            words = {f.attname: getattr(row, f.attname) for f in model._meta.concrete_fields}
            if isinstance(row, UserSession):
                words["session_data"] = SessionStore().decode(row.session_data)
            text = json.dumps(
                words,
                default=lambda value: (
                    bytes(value).decode("latin-1")
                    if isinstance(value, memoryview | bytes)
                    else str(value)
                ),
            )
            if SENTINEL in text.lower():
                found.append(f"{model.__name__}: {text}")
    return found


@pytest.fixture
def zoe(rita: User) -> User:
    """Create a member whose name is in every possible place."""
    user = User.objects.create_user(f"{SENTINEL}@example.org", PASSWORD, name=SENTINEL)
    Preferences(default_model=SENTINEL).save(user)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    conversation = new_conversation(user, SENTINEL)
    conversation.messages.update(text=SENTINEL, reasoning=SENTINEL)
    for message in conversation.messages.filter(role="assistant"):
        message.ratings.update(comment=SENTINEL)
        message.generations.update(error_message=SENTINEL)
        generation = message.generations.get()
        generation.pages.create(first_seq=1, last_seq=1, frames=SENTINEL.encode())
    project = Project.objects.create(owner=user, name=SENTINEL, instructions=SENTINEL)
    Conversation.objects.filter(pk=conversation.pk).update(project=project)
    conversation.tags.create(owner=user, name=SENTINEL, folded_name=SENTINEL)
    Limit.objects.create(scope="member", user=user, measure="requests", amount=5)
    LogEntry.objects.log_actions(rita.pk, [user], CHANGE, single_object=True)
    browser = Client()
    browser.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
    assert browser.get("/chat/").status_code == 200
    return user


async def test_no_table_keeps_data_of_the_person(zoe: User, stop_server_process: None) -> None:
    client = await sync_to_async(signed_in_client)(zoe)
    await read_stream(await send(client, text=SENTINEL))
    key = f"user:{zoe.pk}"
    assert await Meter.objects.filter(key=key).aexists()
    before = await sync_to_async(everywhere)()
    kinds = {row.partition(":")[0] for row in before}
    assert kinds >= {
        "User",
        "UserSession",
        "EmailAddress",
        "Conversation",
        "Message",
        "Rating",
        "LogPage",
        "Project",
        "ChatTag",
        "Generation",
        "LogEntry",
    }
    await sync_to_async(delete_account)(zoe)
    await sync_to_async(sweep)()
    assert await sync_to_async(everywhere)() == []
    assert not await User.objects.filter(pk=zoe.pk).aexists()
    assert not await Meter.objects.filter(key=key).aexists()
    charge = await Charge.objects.aget()
    assert charge.user_id is None
    assert charge.keys == ["everyone"]
    assert charge.tokens > 0


def test_data_of_others_is_kept(zoe: User, bob: User) -> None:
    new_conversation(bob)
    browser = signed_in(bob)
    delete_account(zoe)
    sweep()
    assert browser.get("/chat/").status_code == 200
    assert Generation.objects.filter(owner=bob).count() == 2
    users = ContentType.objects.get_for_model(User)
    assert LogEntry.objects.filter(content_type=users).count() == 1  # what staff did


def test_another_process_finishes_the_purge_of_a_dead_one(
    zoe: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_batches, "MAX_ROWS", 1)
    monkeypatch.setattr(anonymous_charges, "ANONYMISED_AT_ONCE", 1)
    signed_in(bob)
    delete_account(zoe)
    for _ in range(60):
        next(purge.steps(), None)  # one batch, then it dies
    sweep()
    assert everywhere() == []
    assert UserSession.objects.count() == 1


def test_the_purge_waits_for_open_charges(zoe: User) -> None:
    charge = Charge.objects.create(
        user=zoe, keys=[f"user:{zoe.pk}"], model="m", prompt_tokens=1, created_at=zoe.date_joined,
        tokens=1, millineurons=0, microdollars=0,
    )  # fmt: skip
    delete_account(zoe)
    sweep()
    assert User.objects.filter(pk=zoe.pk).exists()
    Charge.objects.filter(pk=charge.pk).update(settled_at=zoe.date_joined)
    sweep()
    assert not User.objects.filter(pk=zoe.pk).exists()
