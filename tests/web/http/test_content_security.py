"""The whole content security policy of every kind of page, word by word."""

import re
from typing import Any

import pytest
from django.test import Client, override_settings

from chat.accounts.models import User
from chat.conversations.turns import start_conversation
from chat.middleware.content_security import policy_for
from chat.sharing.links import Choices, make
from chat.widget_sites.models import WidgetSite
from tests.sharing.conftest import ask
from tests.support.web.access_matrix import ALL
from tests.support.widget.visitor_client import HOST, make_site

HTML = {"Accept": "text/html"}
#: What every page has in common: no base address, forms only to this site, no plug-ins.
START = "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'"
NEVER = "form-action 'self'; base-uri 'none'; object-src 'none'"
STRINGS = "require-trusted-types-for 'script'"
NONCE = "script-src 'nonce-…' 'strict-dynamic'"


def policy(
    *more: str, connect: str = "'self'", worker: str = "'none'", frames: str = "'none'"
) -> str:
    """Return a policy; `frames` may embed the page, `more` are its other directives."""
    parts = (
        START,
        f"connect-src {connect}",
        "manifest-src 'self'",
        f"worker-src {worker}",
        NEVER,
        f"frame-ancestors {frames}",
        *more,
    )
    return "; ".join(parts)


SITE = policy(STRINGS, NONCE, "trusted-types htmx")
NOTICES = policy(STRINGS, NONCE, "trusted-types htmx notice-worker", worker="'self'")
CHAT = f"{NOTICES}; media-src blob:; frame-src 'self'"
REVIEW = policy(STRINGS, NONCE, "trusted-types 'none'", connect="'none'")
SHARED = f"{REVIEW}; frame-src 'self'"
WATCHING = policy(STRINGS, NONCE, "trusted-types 'none'")
ACCOUNTS = policy(STRINGS, "script-src 'self'", "trusted-types 'none'")
ADMIN = policy("script-src 'self'")
PREVIEW = policy(STRINGS, NONCE, "trusted-types htmx", "frame-src 'self'", frames="'self'")
LOOK = policy(STRINGS, NONCE, "trusted-types htmx", "frame-src 'self'")
FRAME = policy(
    STRINGS, NONCE, "trusted-types 'none'", "frame-src 'self'",
    frames=f"'self' {HOST} https://*.shop.example",
)  # fmt: skip
WIDGET_ERROR = policy(STRINGS, NONCE, "trusted-types 'none'", "frame-src 'self'")
DATA = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
CHALLENGE = (
    "default-src 'none'; style-src https://challenges.example; img-src https://challenges.example;"
    " font-src 'self'; connect-src https://challenges.example; manifest-src 'self';"
    f" worker-src 'none'; {NEVER}; frame-ancestors 'self' {HOST} https://*.shop.example;"
    f" frame-src https://challenges.example; {NONCE}"
)
#: Status and policy of each page, as an administrator who owns the chat and the website sees it.
PAGES: dict[str, tuple[int, str]] = {
    "/chat/": (200, CHAT),
    "/chat/{chat}/": (200, CHAT),
    "/chat/temporary/": (200, CHAT),
    "/chat/nowhere/": (404, CHAT),
    "/settings/": (200, NOTICES),
    "/settings/personalization/": (200, SITE),
    "/projects/": (200, SITE),
    "/sites/": (200, SITE),
    "/sites/{key}/inbox/": (200, SITE),
    "/nowhere": (404, SITE),
    "/accounts/nowhere/": (404, ACCOUNTS),
    "/admin/": (200, ADMIN),
    "/s/{token}/": (200, SHARED),
    "/s/nowhere/": (404, SHARED),
    "/review/reason/": (200, REVIEW),
    "/review/": (200, REVIEW),
    "/review/site/": (200, REVIEW),
    "/review/live/": (200, WATCHING),
    "/review/nowhere/": (404, REVIEW),
    "/sites/{key}/preview/": (200, PREVIEW),
    "/sites/{key}/look/": (200, LOOK),
    "/w/{key}/": (200, FRAME),
    "/w/nowhere/": (404, WIDGET_ERROR),
    "/healthz": (200, SITE),
    "/review/live/now/": (200, DATA),
}
#: For somebody who isn't signed in.
ANONYMOUS_PAGES = {
    "/accounts/login/": (200, ACCOUNTS),
    "/accounts/signup/": (200, ACCOUNTS),
    "/admin/login/": (302, ADMIN),
    "/s/{token}/": (200, SHARED),
    "/w/{key}/": (200, FRAME),
}


@pytest.fixture
def site(alice: User) -> WidgetSite:
    return make_site(alice)


@pytest.fixture
def browser(alice: User) -> Client:
    alice.is_superuser = alice.is_staff = True
    alice.save()
    client = Client(raise_request_exception=False)
    client.force_login(alice)
    client.post("/review/reason/", {"reason": "A report of today"})
    return client


def policy_of(response: Any) -> str:
    found = response.headers["Content-Security-Policy"]
    return re.sub(r"'nonce-[^']{20,}'", "'nonce-…'", found)


def test_each_kind_of_page_has_exactly_this_policy(
    browser: Client, alice: User, site: WidgetSite
) -> None:
    chat = start_conversation(alice.pk)
    ask(chat, "What is water?", "It is wet.")
    names = {"chat": chat.pk, "key": site.key, "token": make(chat, Choices()).token}
    wrong = {}
    for client, pages in ((browser, PAGES), (Client(), ANONYMOUS_PAGES)):
        for path, due in pages.items():
            response = client.get(path.format(**names), headers=HTML)
            if (found := (response.status_code, policy_of(response))) != due:
                wrong[path] = (found, due)
    assert wrong == {}


def test_the_page_of_a_challenge_may_load_only_that_service(site: WidgetSite) -> None:
    with override_settings(CHALLENGE_SCRIPT="https://challenges.example/api.js"):
        assert policy_of(Client().get(f"/w/{site.key}/challenge")) == CHALLENGE
        assert policy_of(Client().get(f"/w/{site.key}/")) == FRAME


def test_there_is_no_other_kind_of_page() -> None:
    tried = [policy_for(path) for path in (*PAGES, *ANONYMOUS_PAGES)]
    assert [route for route in ALL if policy_for(f"/{route}") not in tried] == []
