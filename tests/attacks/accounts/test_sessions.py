"""Sessions that an attacker chose, kept or copied (fixation), and the setup link that several open.

Signing in gives a new session, whatever the browser had; signing out, changing the password and
deleting the account end the old ones, also for whoever copied a cookie.
"""

import threading

import pytest

from tests.support.attacks.people import CSRF, PASSWORD, browser, person
from tests.support.attacks.rows import value
from tests.support.servers.server import Server

CHOSEN = [
    "a" * 32,
    "A1" * 16,
    "0" * 40,
    "",
    "null",
    "../../x",
    "' OR 1=1 --",
    "x" * 5000,
    "a%20b",
    "%00" * 8,
    "sessionid",
    "[]",
    "true",
]
FORM = {"X-CSRFToken": CSRF}


def sign_in(server: Server, email: str, session: str = "", password: str = PASSWORD):  # type: ignore[no-untyped-def]
    client = browser(server)
    headers = FORM | ({"Cookie": f"csrftoken={CSRF}; sessionid={session}"} if session else {})
    fields = {"login": email, "password": password}
    return client, client.post("/accounts/login/", data=fields, headers=headers)


def test_a_session_that_somebody_chose_is_never_used(site: Server) -> None:
    person(site, "fixed@example.org")
    for chosen in CHOSEN:
        client, came = sign_in(site, "fixed@example.org", chosen)
        assert came.status_code == 302, chosen
        assert client.cookies["sessionid"] != chosen
        thief = browser(site)
        answer = thief.get("/chat/", headers={"Cookie": f"sessionid={chosen}"})
        assert answer.status_code == 302, chosen
        assert answer.headers["location"].startswith("/accounts/login/")


def test_a_session_from_before_the_sign_in_is_not_signed_in(site: Server) -> None:
    """The thief keeps the cookie with which the victim's browser came to the page."""
    person(site, "planted@example.org")
    thief = browser(site)
    thief.get("/accounts/2fa/webauthn/login/", headers={"Accept": "application/json"})
    planted = thief.cookies.get("sessionid")
    assert planted
    client, came = sign_in(site, "planted@example.org", planted)
    assert came.status_code == 302
    assert client.cookies["sessionid"] != planted
    assert thief.get("/chat/").status_code == 302


def test_signing_in_as_another_member_leaves_nothing_of_the_first(site: Server) -> None:
    first = person(site, "first@example.org")
    chat = first.send("The first one's words").headers["X-Conversation-Id"]
    person(site, "second@example.org")
    first.form("/accounts/logout/")
    came = first.form("/accounts/login/", {"login": "second@example.org", "password": PASSWORD})
    assert came.status_code == 302
    assert first.get(f"/chat/{chat}/").status_code == 404
    assert "first one" not in first.get("/chat/", Accept="text/html").text


@pytest.mark.parametrize("act", ["signs out", "changes the password", "deletes the account"])
def test_a_copied_cookie_ends_with_the_owners(site: Server, act: str) -> None:
    owner = person(site, f"copied-{act.replace(' ', '-')}@example.org")
    thief = browser(site)
    thief.cookies.set("sessionid", owner.session)
    assert thief.get("/chat/").status_code == 200
    new = "another quiet room"
    if act == "signs out":
        owner.form("/accounts/logout/")
    elif act == "changes the password":
        fields = {"oldpassword": PASSWORD, "password1": new, "password2": new}
        assert owner.form("/accounts/password/change/", fields).status_code == 302
    else:
        assert owner.form(
            "/settings/delete-account/",
            {"password": PASSWORD, "confirmation": "delete", "confirm": "on"},
        ).status_code in {302, 303}
    assert thief.get("/chat/").status_code == 302
    assert (
        thief.post("/chat/messages", json={"key": "k" * 32, "text": "Hi"}, headers=FORM).status_code
        == 401
    )


@pytest.mark.parametrize("form", ["form", "form with another case"])
def test_a_reset_ends_all_sessions_and_links(site: Server, form: str) -> None:
    email = f"reset-{len(form)}@example.org"
    owner = person(site, email)
    asked = browser(site)
    sent = email.upper() if "case" in form else email
    asked.post("/accounts/password/reset/", data={"email": sent}, headers=FORM)
    mails = sorted((site.data_dir / "mail").iterdir(), key=lambda each: each.stat().st_mtime)
    text = next(each.read_text() for each in reversed(mails) if f"To: {email}" in each.read_text())
    link = "/accounts/password/reset/key/" + text.partition("/password/reset/key/")[2].split()[0]
    moved = asked.get(link)
    new = "another quiet room"
    done = asked.post(
        moved.headers["location"], data={"password1": new, "password2": new}, headers=FORM
    )
    assert done.status_code == 302
    assert owner.get("/chat/").status_code == 302
    again = browser(site)
    page = again.get(link, headers={"Accept": "text/html"})
    assert page.status_code == 200
    assert "password1" not in page.text, "the link works once"


def test_one_of_six_who_open_the_setup_link_becomes_administrator(fresh_site: Server) -> None:
    link = fresh_site.manage("setup_link").split()[-1]
    path = "/accounts/setup/" + link.rstrip("/").rpartition("/")[2] + "/"
    clients = [browser(fresh_site) for _ in range(6)]
    for client in clients:
        assert client.get(path).status_code == 302
    together, statuses = threading.Barrier(6), []

    def become(number: int) -> None:
        together.wait()
        fields = {"email": f"eve{number}@example.org", "password": PASSWORD}
        came = clients[number].post("/accounts/setup/", data=fields, headers=FORM)
        statuses.append(came.status_code)

    racers = [threading.Thread(target=become, args=[number]) for number in range(6)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert sorted(statuses) == [302, 404, 404, 404, 404, 404]
    assert value(fresh_site, "SELECT count(*) FROM chat_user") == 1
    assert browser(fresh_site).get(path).status_code == 404


def test_guesses_of_a_setup_link_or_invitation_find_nothing(fresh_site: Server) -> None:
    link = fresh_site.manage("setup_link").split()[-1]
    token = link.rstrip("/").rpartition("/")[2]
    client = browser(fresh_site)
    for guess in (
        token[:-1],
        token + "a",
        token.swapcase(),
        token[::-1],
        "x",
        "%00",
        "null",
        "a" * 4000,
        token.replace(token[3], "."),
        f"{token}%20",
        f"{token}%0a",
        f"%20{token}",
        "*",
        token[:10] + "%25",
    ):
        for place in ("setup", "invitation"):
            assert client.get(f"/accounts/{place}/{guess}/").status_code in {404, 414}, guess
    fields = {"email": "eve@example.org", "password": PASSWORD}
    assert client.post("/accounts/setup/", data=fields, headers=FORM).status_code == 404
