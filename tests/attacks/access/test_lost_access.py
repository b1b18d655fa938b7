"""Something is still open when the right to it ends: streams, downloads, imports, pages of staff.

What is suspended, signed out, revoked or deleted meanwhile ends within the time of
`STREAM_REAUTH_SECONDS`, for whoever has the cookie, and does not come back.
"""

import threading
import uuid

import httpx
import pytest

from tests.support.attacks.people import PASSWORD, Person, Vera, person
from tests.support.attacks.races import LongAnswer, all_at_once, at_once, tab, tabs
from tests.support.attacks.rows import value
from tests.support.servers.served_site import wait_until
from tests.support.servers.server import Server

USER = "from chat.accounts.models import User; user = User.objects.get(pk={0}); "
#: How somebody loses an account, from elsewhere.
LOSSES = {
    "suspended": "from django.utils import timezone; user.is_active = False; user.suspended_at = timezone.now(); user.save()",
    "deactivated": "user.is_active = False; user.save()",
    "closed": "from chat.accounts import closure; closure.close_account(user)",
}  # fmt: skip
NEW = "another quiet room"


def test_a_changed_password_ends_the_stream_of_another_browser(member: Person) -> None:
    thief = LongAnswer(tab(member))
    fields = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert tab(member).form("/accounts/password/change/", fields).status_code == 302
    assert thief.was_cut()
    again = tab(member).get(f"/generations/{thief.generation}/stream")
    assert again.status_code == 401


@pytest.mark.parametrize("loss", LOSSES)
def test_who_loses_the_account_loses_the_stream(
    slow_site: Server, member: Person, loss: str
) -> None:
    answer = LongAnswer(member)
    slow_site.run(USER.format(member.user_id) + LOSSES[loss])
    assert answer.was_cut()
    assert tab(member).get(f"/chat/{answer.chat}/").status_code in {302, 401, 403, 404}
    assert tab(member).send("Still here").status_code in {401, 403}


def test_signing_out_in_one_tab_ends_the_stream_of_the_other(member: Person) -> None:
    answer = LongAnswer(tab(member))
    tab(member).form("/accounts/logout/")
    assert answer.was_cut()


def test_a_chat_deleted_while_it_is_answered_stays_deleted(
    slow_site: Server, member: Person
) -> None:
    answer = LongAnswer(tab(member))
    path = f"/chat/{answer.chat}"
    deleting = [(lambda tab: tab.form(f"{path}/deletion/"), each) for each in tabs(member, 3)]
    sending = [(lambda tab: tab.send("Also this", answer.chat), each) for each in tabs(member, 3)]
    assert 302 in all_at_once([*deleting, *sending])
    assert answer.has_ended()
    assert member.get(f"{path}/").status_code == 404
    assert member.get(f"/generations/{answer.generation}/stream").status_code == 404
    rows = "SELECT count(*) FROM {} WHERE id = ?"
    chat, generation = (uuid.UUID(each).hex for each in (answer.chat, answer.generation))
    wait_until(lambda: value(slow_site, rows.format("chat_conversation"), chat) == 0)
    assert value(slow_site, rows.format("chat_generation"), generation) == 0


@pytest.mark.timeout(400)
def test_downloads_end_with_the_account(slow_site: Server, member: Person) -> None:
    """A file that is not whole is never taken for one."""
    for number in range(6):
        member.send(f"/echo number {number}")

    def download(tab: Person) -> httpx.Response:
        return tab.get("/settings/export.zip")

    def delete(tab: Person) -> httpx.Response:
        return tab.form("/settings/delete-account/", {"password": PASSWORD})

    acts = [(download, each) for each in tabs(member, 4)] + [(delete, tab(member))]
    assert set(all_at_once(acts)) <= {0, 200, 302, 401}
    assert tab(member).get("/settings/export.zip").status_code in {302, 401}
    assert "Traceback" not in slow_site.log.read_text()


def test_a_staff_role_taken_away_ends_watching(slow_site: Server, member: Person) -> None:
    rita = person(
        slow_site, f"rita-{uuid.uuid4().hex[:6]}@example.org", is_staff=True, is_superuser=True
    )
    rita.form("/review/reason/", {"reason": "Watching an answer", "next": "/review/"})
    answer = LongAnswer(tab(member))
    path = f"/review/{answer.chat}/live/{answer.generation}/"
    heard, begun = [], threading.Event()

    def watch() -> None:
        try:
            with rita.client.stream("GET", path) as came:
                heard.append(came.status_code)
                for piece in came.iter_text():
                    heard.append(piece)
                    begun.set()
        except httpx.HTTPError:
            pass

    watcher = threading.Thread(target=watch)
    watcher.start()
    assert begun.wait(60), heard
    slow_site.run(
        USER.format(rita.user_id) + "user.is_staff = user.is_superuser = False; user.save()"
    )
    watcher.join(60)
    assert not watcher.is_alive()
    assert "[DONE]" not in "".join(map(str, heard))
    for page in (
        path,
        f"/review/{answer.chat}/",
        "/review/",
        "/review/live/now/",
        "/review/queue/",
    ):
        assert tab(rita).get(page).status_code == 404, page
    for page in ("stop", "takeover", "turns", "closure"):
        assert (
            tab(rita)
            .form(f"/review/{answer.chat}/{page}/", {"reason": "x", "text": "Taken"})
            .status_code
            == 404
        )


def test_a_suspended_website_ends_its_visitors_streams(slow_site: Server, member: Person) -> None:
    key = member.make_site()
    vera = Vera(slow_site, key)
    heard, begun = [], threading.Event()

    def read() -> None:
        try:
            body = {"key": uuid.uuid4().hex, "text": "/slow"}
            with vera.client.stream("POST", f"/w/{key}/messages", json=body) as came:
                for piece in came.iter_text():
                    heard.append(piece)
                    begun.set()
        except httpx.HTTPError:
            pass

    reader = threading.Thread(target=read)
    reader.start()
    assert begun.wait(60)
    slow_site.run(
        f"from chat.widget_sites import suspension; from chat.widget_sites.models import *; suspension.suspend(WidgetSite.objects.get(key={key!r}), None)"
    )
    reader.join(60)
    assert not reader.is_alive()
    assert "[DONE]" not in "".join(heard)
    assert vera.get("conversations").status_code in {401, 404}
    assert vera.send("Still here").status_code in {401, 404}


def test_an_import_for_a_deleted_account_leaves_nothing(slow_site: Server, member: Person) -> None:
    chats = ",".join(
        f'{{"uuid":"{uuid.uuid4()}","name":"N","chat_messages":[{{"uuid":"{uuid.uuid4()}","sender":"human","text":"An imported word","created_at":"2026-01-01T00:00:00Z"}}]}}'
        for _ in range(300)
    )

    def bring(tab: Person) -> httpx.Response:
        return tab.form("/settings/import/", files={"file": ("c.json", f"[{chats}]".encode())})

    def delete(tab: Person) -> httpx.Response:
        return tab.form("/settings/delete-account/", {"password": PASSWORD})

    all_at_once([(bring, tab(member)), (bring, tab(member)), (delete, tab(member))])
    user = "SELECT count(*) FROM chat_user WHERE id = ?"
    if tab(member).get("/chat/").status_code == 302:
        wait_until(lambda: value(slow_site, user, member.user_id) == 0)
        assert (
            value(slow_site, "SELECT count(*) FROM chat_message WHERE text = 'An imported word'")
            == 0
        )


def test_two_tabs_that_edit_one_thing_keep_one_of_both(slow_site: Server, member: Person) -> None:
    sent = member.send("/echo first")
    chat = sent.headers["X-Conversation-Id"]
    names = [f"Title {n}" for n in range(6)]
    acts = [
        ((lambda tab, n=name: tab.form(f"/chat/{chat}/title/", {"title": n})), tab(member))
        for name in names
    ]
    assert set(all_at_once(acts)) <= {200, 302}
    title = value(
        slow_site, "SELECT title FROM chat_conversation WHERE id = ?", uuid.UUID(chat).hex
    )
    assert title in names
    turns = at_once(lambda tab: tab.send("/echo again", chat), tabs(member, 4))
    assert set(turns) <= {200, 409}, turns
