"""Guessing the code of an authenticator app with a stolen password.

The limit is the member's, not the browser's: new sessions, other spellings of a code and other doors
give no further tries. The owner's right code still works afterwards, and no code works twice.
"""

from tests.accounts.second_factor import code_for
from tests.support.attacks.people import CSRF, PASSWORD, browser, person
from tests.support.attacks.rows import value
from tests.support.servers.server import Server

MAKE_FACTOR = """
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from chat.accounts.models import User
user = User.objects.get(email={email!r})
secret = generate_totp_secret()
TOTP.activate(user, secret)
codes = RecoveryCodes.activate(user).get_unused_codes()
print(secret, codes[0])
"""
CLEAR = "from django.core.cache import cache; cache.clear()"
GUESSES = [
    "", " ", "000000", "123456", "999999", "00000000", "0", "1" * 5000, "-00001", "+00001", "1e5", "0x1234", "٠٠٠٠٠٠", "０００００0", "000 000", "000000\n", "null", "true", "[]", "%00", "' OR 1=1", "{{code}}", "*", "000000,111111", "recovery", "\x00" * 6, "😀" * 6, "aaaaaaaa", "undefined", "NaN",
]  # fmt: skip


def with_factor(server: Server, email: str) -> tuple[str, str]:
    """Return the secret of the app, and a recovery code."""
    person(server, email)
    secret, recovery = server.run(MAKE_FACTOR.format(email=email)).split()
    return secret, recovery


def second_step(server: Server, email: str, code: str) -> tuple[int, str, str]:
    """Sign in by password in a new browser and send a code; return status, page and `next`."""
    client = browser(server)
    headers = {"X-CSRFToken": CSRF}
    came = client.post(
        "/accounts/login/", data={"login": email, "password": PASSWORD}, headers=headers
    )
    if "2fa" not in came.headers.get("location", ""):
        return came.status_code, came.text, ""
    asked = client.post("/accounts/2fa/authenticate/", data={"code": code}, headers=headers)
    entered = client.get("/chat/", headers={"Accept": "text/html"}).status_code
    return asked.status_code, asked.text, "in" if entered == 200 else ""


def test_guesses_are_counted_over_all_sessions(fresh_site: Server) -> None:
    secret, _recovery = with_factor(fresh_site, "alice@example.org")
    results = [second_step(fresh_site, "alice@example.org", code) for code in GUESSES]
    assert not any(entered for _status, _page, entered in results)
    assert all(status < 500 for status, _page, _entered in results)
    refused = [number for number, (_status, page, _) in enumerate(results) if "Too many" in page]
    assert refused
    assert refused[0] <= 10, "after few guesses none is looked at, not even the right one"
    assert second_step(fresh_site, "alice@example.org", code_for(secret))[2] == ""
    fresh_site.run(CLEAR)  # the owner, some minutes later
    assert second_step(fresh_site, "alice@example.org", code_for(secret))[2] == "in"


def test_no_code_works_twice(fresh_site: Server) -> None:
    secret, recovery = with_factor(fresh_site, "bob@example.org")
    code = code_for(secret)
    assert second_step(fresh_site, "bob@example.org", code)[2] == "in"
    assert second_step(fresh_site, "bob@example.org", code)[2] == ""
    fresh_site.run(CLEAR)
    assert second_step(fresh_site, "bob@example.org", recovery)[2] == "in"
    assert second_step(fresh_site, "bob@example.org", recovery)[2] == ""


def test_between_the_steps_nothing_is_open(fresh_site: Server) -> None:
    with_factor(fresh_site, "carol@example.org")
    client = browser(fresh_site)
    headers = {"X-CSRFToken": CSRF, "Accept": "text/html"}
    fields = {"login": "carol@example.org", "password": PASSWORD}
    client.post("/accounts/login/", data=fields, headers=headers)
    assert client.cookies.get("sessionid")
    for path in (
        "/chat/",
        "/settings/",
        "/settings/security/",
        "/accounts/2fa/",
        "/accounts/email/",
        "/accounts/password/change/",
        "/accounts/2fa/recovery-codes/",
        "/accounts/2fa/totp/deactivate/",
        "/accounts/reauthenticate/",
        "/settings/export.zip",
        "/review/",
        "/admin/",
    ):
        for came in (
            client.get(path, headers=headers),
            client.post(path, data={"password": PASSWORD}, headers=headers),
        ):
            assert came.status_code in {302, 401, 403, 404, 405}, path
            assert "carol@example.org" not in came.text, path
    sent = client.post("/chat/messages", json={"key": "k" * 32, "text": "Hi"}, headers=headers)
    assert sent.status_code == 401
    assert value(fresh_site, "SELECT count(*) FROM chat_message") == 0


def test_a_half_signed_in_session_does_not_become_somebody_elses(fresh_site: Server) -> None:
    """Signing in as oneself between the two steps of somebody else mixes nothing up."""
    with_factor(fresh_site, "dora@example.org")
    person(fresh_site, "eve@example.org")
    client = browser(fresh_site)
    headers = {"X-CSRFToken": CSRF, "Accept": "text/html"}
    for email in ("dora@example.org", "eve@example.org"):
        fields = {"login": email, "password": PASSWORD}
        client.post("/accounts/login/", data=fields, headers=headers)
        page = client.get("/accounts/email/", headers=headers)
        assert page.status_code == 302, "nobody is signed in before the second step"
    eves = browser(fresh_site)
    fields = {"login": "eve@example.org", "password": PASSWORD}
    assert eves.post("/accounts/login/", data=fields, headers=headers).status_code == 302
    page = eves.get("/accounts/email/", headers=headers)
    assert "eve@example.org" in page.text
    assert "dora@example.org" not in page.text
