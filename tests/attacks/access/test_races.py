"""Two requests at the same moment, one of which should have made the other impossible.

Double submits store once, and limits hold for requests that come together.
"""

import uuid
from functools import partial

import httpx
import pytest

from tests.support.attacks.people import CSRF, MODEL, PASSWORD, Person, browser, person, program
from tests.support.attacks.races import all_at_once, at_once, tab, tabs
from tests.support.attacks.rows import value
from tests.support.attacks.world import objects_of
from tests.support.servers.server import Server

AT_ONCE = 8
FORM = {"X-CSRFToken": CSRF}
USER = "from chat.accounts.models import User; user = User.objects.get(pk={0}); "


def count(site: Server, rows: str, *parameters: object) -> int:
    return int(str(value(site, f"SELECT count(*) FROM {rows}", *parameters)))


def test_a_send_that_is_repeated_at_once_is_stored_once(slow_site: Server, member: Person) -> None:
    body = {"key": uuid.uuid4().hex, "text": "Only once, please"}
    assert 200 in at_once(lambda tab: tab.json("/chat/messages", body), tabs(member, AT_ONCE))
    assert count(slow_site, "chat_message WHERE text = 'Only once, please'") == 1


def test_one_key_for_two_texts_stores_one(slow_site: Server, member: Person) -> None:
    key = uuid.uuid4().hex

    def send(tab: Person, text: str) -> httpx.Response:
        return tab.json("/chat/messages", {"key": key, "text": text})

    acts = [(partial(send, text=f"Version {n} of a race"), tab(member)) for n in range(AT_ONCE)]
    all_at_once(acts)
    assert count(slow_site, "chat_message WHERE text LIKE 'Version % of a race'") == 1


def test_a_limit_holds_for_sends_that_come_together(slow_site: Server, member: Person) -> None:
    limit = "from chat.quotas.models import Limit; Limit.objects.create(scope='member', user=user, measure='requests', amount=3)"
    slow_site.run(USER.format(member.user_id) + limit)
    member.get("/chat/")
    statuses = at_once(lambda tab: tab.send("/echo one"), tabs(member, AT_ONCE))
    assert (statuses.count(200), statuses.count(429)) == (3, AT_ONCE - 3), statuses


def test_the_number_of_api_keys_holds_for_forms_that_come_together(
    slow_site: Server, member: Person
) -> None:
    make = "from chat.api_keys import keys; from chat.api_keys.keys import KeyOptions\n"
    make += "for n in range(47): keys.create(user, KeyOptions(str(n)))"
    slow_site.run(USER.format(member.user_id) + make)
    fields = {"name": "Another", "lifetime": "90"}
    at_once(lambda tab: tab.form("/settings/api/", fields), tabs(member, AT_ONCE))
    assert count(slow_site, "chat_apikey WHERE owner_id = ?", member.user_id) <= 50


@pytest.mark.parametrize("kind", ["personas", "prompts", "projects", "tags"])
def test_a_form_sent_twice_does_not_fail(slow_site: Server, member: Person, kind: str) -> None:
    path = f"/{kind}/" if kind == "tags" else f"/{kind}/new/"
    fields = {"name": "Twice", "instructions": "x", "text": "x", "color": "blue", "colour": "blue"}
    statuses = at_once(lambda tab: tab.form(path, fields), tabs(member, AT_ONCE))
    assert set(statuses) <= {302, 409, 422}, statuses


def test_deleting_and_restoring_together_leaves_a_chat_whole_or_gone(
    slow_site: Server, member: Person
) -> None:
    chat = member.send("/echo To be or not to be").headers["X-Conversation-Id"]

    def post(tab: Person, page: str) -> httpx.Response:
        return tab.form(f"/chat/{chat}/{page}/")

    for _ in range(5):
        pages = ["deletion", "restoration"] * 4
        all_at_once([(partial(post, page=page), tab(member)) for page in pages])
    page = member.get(f"/chat/{chat}/").status_code
    rows = count(slow_site, "chat_message WHERE conversation_id = ?", uuid.UUID(chat).hex)
    assert (page, rows) in {(200, 2), (404, 2), (404, 0)}


def test_an_object_deleted_from_several_tabs_is_deleted_once(
    slow_site: Server, member: Person
) -> None:
    ids = objects_of(member)
    ids["conversation"] = member.send("/echo new").headers["X-Conversation-Id"]  # in no case
    for path in (
        "personas/{persona}",
        "prompts/{prompt}",
        "projects/{project}",
        "tags/{tag}",
        "chat/{conversation}",
        "sites/{site}",
    ):
        address = "/" + path.format(**ids) + "/deletion/"
        statuses = at_once(lambda tab, to=address: tab.form(to, {"name": "Shop"}), tabs(member, 5))
        assert set(statuses) <= {302, 404}, (path, statuses)
        assert 302 in statuses, path


def test_a_key_revoked_while_it_is_used_is_revoked(slow_site: Server, member: Person) -> None:
    key = member.make_key()
    number = value(slow_site, "SELECT id FROM chat_apikey WHERE owner_id = ?", member.user_id)
    asked = {"model": MODEL, "messages": [{"role": "user", "content": "/echo Hi"}]}
    acts = [
        (lambda client: client.post("/v1/chat/completions", json=asked), program(slow_site, key))
        for _ in range(6)
    ]
    acts += [
        (lambda tab: tab.form(f"/settings/api/{number}/revocation/"), each)
        for each in tabs(member, 2)
    ]
    all_at_once(acts)
    assert program(slow_site, key).get("/v1/models").status_code == 401


def test_links_made_and_revoked_together_are_revoked(slow_site: Server, member: Person) -> None:
    sent = member.send("/echo Something to share")
    chat, last = sent.headers["X-Conversation-Id"], sent.headers["X-Message-Id"]
    path = f"/chat/{chat}/sharing/"
    at_once(lambda tab: tab.form(path, {"last": last, "from": "chat"}), tabs(member, 4))
    found = f"from chat.sharing.models import SharedLink; found = SharedLink.objects.filter(conversation={chat!r})\n"
    links = slow_site.run(found + "print(*found.values_list('pk', flat=True))").split()
    assert links

    def revoke(tab: Person, link: str) -> httpx.Response:
        return tab.form(f"/shared/{link}/revocation/")

    all_at_once([(partial(revoke, link=each), tab(member)) for each in links * 2])
    tokens = slow_site.run(found + "print(*[each.token for each in found])").split()
    with browser(slow_site) as reader:
        assert {reader.get(f"/s/{each}/").status_code for each in tokens} <= {404}


def test_an_account_is_created_once_for_forms_that_come_together(slow_site: Server) -> None:
    fields = {"email": "twice@example.org", "password1": PASSWORD, "password2": PASSWORD}
    browsers = [browser(slow_site) for _ in range(AT_ONCE)]
    statuses = at_once(
        lambda each: each.post("/accounts/signup/", data=fields, headers=FORM), browsers
    )
    assert statuses.count(302) == 1, statuses
    assert count(slow_site, "chat_user WHERE email = 'twice@example.org'") == 1


def test_an_invitation_that_several_accept_creates_one_account(slow_site: Server) -> None:
    make = "from chat.accounts.sign_up.invitations import *; print(invitation_url(invite('invited@example.org')[1]))"
    path = "/accounts/invitation/" + slow_site.run(make).rstrip("/").rpartition("/")[2] + "/"
    browsers = [browser(slow_site) for _ in range(6)]
    assert {each.get(path).status_code for each in browsers} == {302}
    fields = {"name": "Guest", "password": PASSWORD}
    statuses = at_once(
        lambda each: each.post("/accounts/invitation/", data=fields, headers=FORM), browsers
    )
    assert statuses.count(302) == 1, statuses
    assert count(slow_site, "chat_user WHERE email = 'invited@example.org'") == 1


def test_a_case_is_decided_once(slow_site: Server, member: Person) -> None:
    """Of two leads who decide at the same moment, one is told that it was decided."""
    ids = objects_of(member)
    leads = [
        person(slow_site, f"lead{n}@example.org", is_staff=True, is_superuser=True)
        for n in range(4)
    ]
    for lead in leads:
        lead.form("/review/reason/", {"reason": "Deciding a case", "next": "/review/"})
    path = f"/review/cases/{ids['case']}"
    claims = at_once(lambda lead: lead.form(f"{path}/claim/"), leads)
    assert set(claims) <= {302, 403, 404, 409}, claims
    fields = {
        "result": "confirmed",
        "decision": "confirmed",
        "resolution": "confirmed",
        "reason": "Because",
        "note": "x",
    }
    decisions = at_once(lambda lead: lead.form(f"{path}/resolution/", fields), leads)
    assert set(decisions) <= {302, 403, 404, 409, 422}, decisions
    actions = count(slow_site, "chat_staffaction WHERE kind LIKE '%resol%' OR kind LIKE '%decid%'")
    assert actions <= 1
