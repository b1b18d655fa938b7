"""A visitor's account only owns things: nobody can sign in to it, and no list shows it."""

from html import unescape

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.core import mail
from django.test import AsyncClient
from pytest_django import Settings

from chat.accounts.models import User
from chat.accounts.sessions.session_store import SessionStore
from chat.conversations.models import Conversation
from chat.widget_sites.models import Visitor, WidgetSite
from tests.support.generations.stream_reader import read_stream
from tests.support.widget.visitor_client import Visiting, visit


async def account_of(visitor: Visiting) -> User:
    found = await Visitor.objects.select_related("user").aget(site=visitor.site)
    return found.user


async def test_nobody_can_sign_in_to_it_or_reset_its_password(
    vera: Visiting, anonymous_client: AsyncClient, settings: Settings
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    account = await account_of(vera)
    assert account.email.endswith("@visitor.invalid")
    assert not account.has_usable_password()
    for password in ("", "!", account.password):
        answer = await anonymous_client.post(
            "/accounts/login/", {"login": account.email, "password": password}
        )
        assert answer.status_code == 200
    for address in (account.email, account.email.upper()):
        await anonymous_client.post("/accounts/password/reset/", {"email": address})
    assert not any("/reset/key/" in str(each.body) for each in mail.outbox)


async def test_a_session_forged_for_it_is_anonymous(
    vera: Visiting, anonymous_client: AsyncClient
) -> None:
    account = await account_of(vera)

    @sync_to_async
    def forge() -> str:
        store = SessionStore()
        store[SESSION_KEY] = str(account.pk)
        store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        store[HASH_SESSION_KEY] = account.get_session_auth_hash()
        store.save()
        return str(store.session_key)

    anonymous_client.cookies[settings.SESSION_COOKIE_NAME] = await forge()
    assert (await anonymous_client.get("/chat/")).status_code == 302
    assert (await anonymous_client.get("/chat/sends/some-key-of-hers")).status_code == 401


async def test_nobody_can_sign_up_with_such_an_address(anonymous_client: AsyncClient) -> None:
    for address in ("x@visitor.invalid", "x@VISITOR.invalid"):
        form = {"email": address, "password1": "correct horse 1", "password2": "correct horse 1"}
        answer = await anonymous_client.post("/accounts/signup/", form)
        assert "Email can't be sent" in unescape(answer.content.decode())
    assert not await User.all_objects.filter(email__iendswith="visitor.invalid").aexists()


async def test_the_admin_lists_members_and_no_visitors(
    vera: Visiting, rita_client: AsyncClient
) -> None:
    rita = await User.objects.aget(email="rita@example.org")
    rita.is_staff = rita.is_superuser = True
    await rita.asave()
    account = await account_of(vera)
    page = (await rita_client.get("/admin/chat/user/")).content.decode()
    assert rita.email in page
    assert "visitor.invalid" not in page
    assert (await rita_client.get(f"/admin/chat/user/{account.pk}/change/")).status_code == 302
    found = await rita_client.get(
        "/admin/autocomplete/?app_label=chat&model_name=limit&field_name=user&term=visitor"
    )
    assert found.json()["results"] == []


async def test_deleting_a_site_deletes_its_visitors_and_their_chats(
    alice: User, shop: WidgetSite
) -> None:
    await read_stream(await (await visit(shop)).send())
    assert await Conversation.objects.acount() == 1
    await alice.adelete()
    assert not await User.all_objects.aexists()
    assert not await Conversation.objects.aexists()


async def test_a_single_visitor_can_be_deleted(shop: WidgetSite) -> None:
    await read_stream(await (await visit(shop)).send())
    await Visitor.objects.all().adelete()
    assert not await User.all_objects.filter(is_visitor=True).aexists()
    assert not await Conversation.objects.aexists()
