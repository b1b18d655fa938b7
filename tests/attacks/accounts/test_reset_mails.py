"""Mails for a new password, asked for by somebody who doesn't own the address.

Whoever types an address causes a mail. It must lead to this site only, go to the owner only, work once
and not after the account has changed; it must not tell who has an account, nor fill a mailbox.
"""

import re
from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from chat.accounts.models import User
from project.config.process_limits import ACCOUNT_RATE_LIMITS
from tests.support.attacks.chance import chance, naming
from tests.support.variants import examples
from tests.support.web.signed_in import signed_in

pytestmark = [pytest.mark.quick, pytest.mark.django_db]

PASSWORD, NEW = "correct horse 9", "another quiet room"
SITE = "https://chat.example.org"
ASK = "/accounts/password/reset/"
LINK = re.compile(r"https?://\S*/accounts/password/reset/key/\S+")


@pytest.fixture
def alice(db: None, settings: Settings) -> User:
    settings.SITE_URL = SITE
    return member("alice@example.org")


def member(email: str) -> User:
    user = User.objects.create_user(email, PASSWORD)
    EmailAddress.objects.create(user=user, email=email, primary=True, verified=True)
    return user


def ask(email: str, **headers: str) -> int:
    return Client(**headers).post(ASK, {"email": email}).status_code  # type: ignore[arg-type]


def link_of(email: str) -> str:
    """Ask for a mail, and return the path of its link."""
    mail.outbox.clear()
    ask(email)
    (sent,) = mail.outbox
    assert sent.to == [email]
    return LINK.findall(sent.body)[0].removeprefix(SITE)


def use(link: str, client: Client | None = None) -> bool:
    """Try to set a new password; return whether it worked."""
    client = client or Client()
    came = client.get(link)
    place = came.headers.get("Location", link)
    client.post(place, {"password1": NEW, "password2": NEW})
    return User.objects.filter(email="alice@example.org").get().check_password(NEW)


FORGED = [
    {"HTTP_HOST": "localhost:4666", "SERVER_PORT": "4666"}, {"HTTP_HOST": "evil.example"}, {"HTTP_HOST": "chat.example.org.evil.example"},
    {"HTTP_X_FORWARDED_HOST": "evil.example"}, {"HTTP_FORWARDED": "host=evil.example;proto=http"}, {"HTTP_X_HOST": "evil.example"},
    {"HTTP_X_ORIGINAL_URL": "http://evil.example/"}, {"HTTP_X_FORWARDED_SERVER": "evil.example"}, {"HTTP_X_FORWARDED_PROTO": "http"},
    {"HTTP_X_FORWARDED_PREFIX": "/evil"}, {"SCRIPT_NAME": "/evil"}, {"HTTP_X_FORWARDED_PORT": "4666"}, {"HTTP_ORIGIN": "http://evil.example"},
    {"HTTP_REFERER": "http://evil.example/"}, {"HTTP_HOST": "localhost@evil.example"}, {"HTTP_HOST": "localhost:80@evil.example"},
]  # fmt: skip


@pytest.mark.parametrize("headers", FORGED, ids=str)
def test_no_header_decides_where_a_link_leads(headers: dict[str, str], alice: User) -> None:
    """Guards links made from SITE_URL: each request is refused, or its mail names only this site."""
    ask(alice.email, **headers)
    for sent in mail.outbox:
        text = f"{sent.subject} {sent.body} {sent.message()}"
        assert "evil" not in text
        assert ":4666" not in text
        assert all(link.startswith(f"{SITE}/accounts/") for link in LINK.findall(sent.body))


#: Written so that something in between may take them for alice's, or add eve.
LIKE_HERS = [
    "ALICE@EXAMPLE.ORG", " alice@example.org ", "al\u0131ce@example.org", "al\u0130ce@example.org", "alice@example\u3002org", "\uff41lice@example.org",
    "alice@example.org.", "alice@ex\u00e4mple.org", "a\u200dlice@example.org", "alice@example.org\u200b", "alice@exampl\u0435.org",
    "alice@example.org\nBcc: eve@example.org", "alice@example.org\r\n\r\nHello", "alice@example.org,eve@example.org", "alice@example.org;eve@example.org",
    "alice@example.org eve@example.org", "eve@example.org <alice@example.org>", '"alice@example.org" <eve@example.org>', "alice@example.org%0aBcc:eve@example.org",
    "alice@example.org\0eve@example.org", "alice(eve@example.org)@example.org", '"alice@example.org\\"@eve.example.org', "alice@[127.0.0.1]", "alice@localhost",
    "eve@example.org/../alice@example.org", "=?utf-8?q?eve=40example.org?=@example.org",
]  # fmt: skip


@pytest.mark.parametrize("typed", LIKE_HERS)
def test_a_link_goes_to_the_address_of_its_account_only(typed: str, alice: User) -> None:
    """Guards CVE-2019-19844's kind: the mail goes to what is stored, not to what was typed."""
    ask(typed)
    for sent in mail.outbox:
        assert len(sent.recipients()) == 1
        if LINK.search(sent.body):
            assert sent.recipients() == ["alice@example.org"]
        assert "\n" not in sent.to[0].strip()
        assert set(sent.message().keys()).isdisjoint({"Bcc", "Cc"})


def test_two_accounts_whose_addresses_look_alike_get_their_own_links(alice: User) -> None:
    """Guards the comparison of case and Unicode, on both databases."""
    for other in ("al\u0131ce@example.org", "alice@exampl\u0435.org", "alice@example.org.uk"):
        member(other)
        mail.outbox.clear()
        ask(other)
        for sent in mail.outbox:
            if sent.recipients() == ["alice@example.org"]:
                assert not LINK.search(sent.body)
    link = link_of("alice@example.org")
    assert use(link)
    others = User.objects.exclude(email="alice@example.org")
    assert not any(each.check_password(NEW) for each in others)


def change_password(user: User) -> None:
    user.set_password("something else 5")
    user.save()


def change_address(user: User) -> None:
    """Another address is confirmed and made the main one; the account keeps the old one."""
    client = signed_in(user)
    EmailAddress.objects.create(user=user, email="new@example.org", verified=True)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    client.post("/accounts/email/", {"email": "new@example.org", "action_primary": ""})
    user.refresh_from_db()
    assert user.email == "new@example.org"
    User.objects.filter(pk=user.pk).update(email="alice@example.org")  # so that `use` finds it
    User.objects.filter(pk=user.pk).update(email="new@example.org")


def ask_again_and_use_that(user: User) -> None:
    assert use(link_of(user.email))
    change_password(user)


def close_account(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False, password="!")


CHANGES: dict[str, Callable[[User], None]] = {
    "it was used": lambda user: None,
    "the password was changed": change_password,
    "another address became the main one": change_address,
    "a later link was used": ask_again_and_use_that,
    "the account was suspended": close_account,
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_link_ends_when_the_account_changes(what: str, alice: User) -> None:
    """Guards the token: it is of the password and the addresses of the moment it was made."""
    link = link_of(alice.email)
    if what == "it was used":
        assert use(link)
        change_password(alice)
    CHANGES[what](alice)
    client = Client()
    came = client.get(link)
    client.post(came.headers.get("Location", link), {"password1": NEW, "password2": NEW})
    alice.refresh_from_db()
    assert not alice.check_password(NEW)


def test_a_changed_link_opens_no_account(alice: User) -> None:
    """Guards each part of the link: the account's number, the time and the digest."""
    bob = member("bob@example.org")
    link, other, random = link_of(alice.email), link_of(bob.email), chance()
    hers, his = link.rstrip("/").rsplit("/", 1)[1], other.rstrip("/").rsplit("/", 1)[1]
    mixed = [hers.partition("-")[0] + "-" + his.partition("-")[2], hers.replace("-", "--", 1)]
    for _each in range(examples(100)):
        at = random.randrange(len(hers))
        mixed.append(
            hers[:at] + random.choice("0123456789abcdefghijklmnopqrstuvwxyz-_.") + hers[at + 1 :]
        )
        mixed.append(hers[: random.randrange(len(hers))])
    for each in {*mixed} - {hers, his, ""}:
        with naming(each):
            assert not use(link.replace(hers, each))
    assert use(link), "and it still works"


def test_an_answer_costs_the_same_for_an_address_without_an_account(alice: User) -> None:
    """Guards time: one mail each, and about as many statements; a password hash in neither."""
    counts = []
    for email in ("warm@example.org", alice.email, "nobody@example.org"):
        mail.outbox.clear()
        with CaptureQueriesContext(connection) as queries:
            ask(email)
        assert len(mail.outbox) == 1
        counts.append(len(queries))
    assert abs(counts[1] - counts[2]) <= 3, counts


@pytest.fixture
def limits(settings: Settings) -> None:
    """Use the site's limits, without which other tests run."""
    settings.ACCOUNT_RATE_LIMITS = ACCOUNT_RATE_LIMITS


@pytest.mark.usefixtures("limits")
def test_a_strangers_mailbox_is_not_filled(alice: User) -> None:
    """Guards the limit by address, from however many networks and in whatever case it is typed."""
    random = chance()
    for victim in (alice.email, "stranger@example.org"):
        mail.outbox.clear()
        for number in range(40):
            typed = "".join(random.choice([each.upper(), each]) for each in victim)
            typed = random.choice(["", " "]) + typed + random.choice(["", " ", "\t"])
            ask(typed, REMOTE_ADDR=f"203.0.113.{number}")
        assert 1 <= len(mail.outbox) <= 5
        assert {each.to[0].lower() for each in mail.outbox} == {victim}


@pytest.mark.usefixtures("db", "limits")
def test_mails_to_many_strangers_are_few() -> None:
    """Guards the limit by network: nobody sends this site's mails to a list of addresses."""
    for number in range(40):
        ask(f"victim{number}@example.org")
    assert 1 <= len(mail.outbox) <= 10
