"""The team of a website: invitations that somebody else takes, and rights that outlive a membership.

An invitation is for whoever has confirmed its address. Agents answer, owners manage, and who leaves
has nothing any more, at once and in every open page.
"""

import itertools
import re
import threading
from collections.abc import Iterator

import pytest

from tests.support.attacks.people import Person, Vera, browser, person
from tests.support.attacks.rows import changed, digests, value
from tests.support.attacks.world import Ids, all_routes, objects_of, path_of
from tests.support.servers.server import Server

ADD = """
from chat.accounts.models import User
from chat.widget_sites import team
from chat.widget_sites.models import SiteMember, WidgetSite
site = WidgetSite.objects.get(key={key!r})
print(team.add_member(site, User.objects.get(pk={user_id}), SiteMember.Role({role!r})).pk)
"""
INVITE = "from chat.inbox import team_invitations as t; from chat.widget_sites.models import *; print(t.invite(WidgetSite.objects.get(key={key!r}), {email!r}, SiteMember.Role({role!r})).pk)"
MANAGING = ("settings/", "deletion/", "look/", "look/draft/", "check/", "keys/", "preview/")
OF_TEAM = re.compile(r"^sites/\{(?:key|site_key)\}/")


@pytest.fixture(scope="module")
def olive(site: Server) -> Person:
    """Return the owner of the website."""
    return person(site, "olive@example.org")


@pytest.fixture(scope="module")
def shop(olive: Person) -> Ids:
    return objects_of(olive)


@pytest.fixture(scope="module")
def other_shop(site: Server) -> Ids:
    return objects_of(person(site, "oscar@example.org"))


def member(site: Server, email: str, key: str, role: str = "agent") -> Person:
    who = person(site, email)
    site.run(ADD.format(key=key, user_id=who.user_id, role=role))
    return who


def invitation(site: Server, key: str, email: str, role: str = "owner") -> str:
    return site.run(INVITE.format(key=key, email=email, role=role))


def routes_of_team() -> Iterator[str]:
    return (each for each in all_routes() if OF_TEAM.match(each))


def test_nobody_outside_the_team_gets_anything(
    site: Server, bob: Person, shop: Ids, other_shop: Ids
) -> None:
    """Neither another member nor the team of another website, whose ids are mixed in."""
    elsewhere = member(site, "agent-elsewhere@example.org", other_shop["site"], "owner")
    before = digests(site)
    routes = list(routes_of_team())
    assert len(routes) > 20
    for who, route in itertools.product((bob, elsewhere), routes):
        path = path_of(route, shop)
        for came in (
            who.get(path),
            who.form(
                path,
                {
                    "text": "Taken",
                    "email": "eve@attacker.invalid",
                    "role": "owner",
                    "name": "Taken",
                },
            ),
        ):
            assert came.status_code in {404, 405}, (path, came.status_code)
    for route in routes:
        if (
            "{conversation}" in route
            or "{note}" in route
            or "{invitation}" in route
            or "{member}" in route
        ):
            path = path_of(route, {**shop, "site": other_shop["site"], "key": other_shop["site"]})
            for came in (
                elsewhere.get(path),
                elsewhere.form(path, {"text": "Taken", "key": "k" * 32}),
            ):
                assert came.status_code in {404, 405}, (path, came.status_code)
    assert changed(before, digests(site)) == set()


def test_an_agent_does_not_manage(site: Server, shop: Ids) -> None:
    agnes = member(site, "agnes@example.org", shop["site"])
    key = shop["site"]
    before = digests(site)
    for page in MANAGING:
        for came in (
            agnes.get(f"/sites/{key}/{page}"),
            agnes.form(f"/sites/{key}/{page}", {"name": "Taken"}),
        ):
            assert came.status_code in {404, 405}, (page, came.status_code)
    for path, fields in (
        (f"team/{shop['member']}/removal/", {}), (f"team/invitations/{shop['invitation']}/withdrawal/", {}), ("team/", {"email": "eve@attacker.invalid", "role": "owner"}), (f"keys/{shop['identity']}/revocation/", {}), ("people/", {"webhook_url": "https://attacker.invalid/"}),
    ):  # fmt: skip
        assert agnes.form(f"/sites/{key}/{path}", fields).status_code == 404, path
    assert changed(before, digests(site)) == set()
    assert agnes.get(f"/sites/{key}/inbox/").status_code == 200


def test_an_invitation_is_not_for_whoever_registered_the_address(site: Server, shop: Ids) -> None:
    mallory = person(site, "newhire@corp.example", verified=False)
    number = invitation(site, shop["site"], "newhire@corp.example")
    assert "Shop" not in mallory.get("/sites/", Accept="text/html").text
    assert mallory.form(f"/sites/invitations/{number}/acceptance/").status_code == 404
    assert mallory.get(f"/sites/{shop['site']}/inbox/").status_code == 404


@pytest.mark.parametrize(
    "email",
    [
        "newhire2+x@corp.example",
        "newhire2@corp.example.attacker.invalid",
        "newhirе2@corp.example",
        "newhire2@CORP.example.",
    ],
)
def test_an_invitation_is_not_for_a_similar_address(site: Server, shop: Ids, email: str) -> None:
    number = invitation(site, shop["site"], "newhire2@corp.example")
    similar = person(site, email)
    assert similar.form(f"/sites/invitations/{number}/acceptance/").status_code == 404
    assert similar.form(f"/sites/invitations/{number}/refusal/").status_code == 404


def test_an_invitation_is_accepted_once_and_with_its_own_role(site: Server, shop: Ids) -> None:
    guest = person(site, "guest@example.org")
    number = invitation(site, shop["site"], "guest@example.org", "agent")
    together, statuses = threading.Barrier(6), []

    def take(path: str) -> None:
        client = browser(site)
        client.cookies.set("sessionid", guest.session)
        together.wait()
        came = client.post(
            f"/sites/invitations/{number}/{path}/",
            data={"role": "owner"},
            headers={"X-CSRFToken": client.cookies["csrftoken"]},
        )
        statuses.append(came.status_code)

    racers = [
        threading.Thread(target=take, args=[path]) for path in ["acceptance"] * 4 + ["refusal"] * 2
    ]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert set(statuses) <= {302, 404}, statuses
    roles = site.run(
        f"from chat.widget_sites.models import *; print(list(SiteMember.objects.filter(user={guest.user_id}).values_list('role', flat=True)))"
    )
    assert roles in {"['agent']", "[]"}
    assert guest.form(f"/sites/{shop['site']}/settings/", {"name": "Taken"}).status_code == 404


def test_who_is_removed_has_nothing_at_once(site: Server, olive: Person, shop: Ids) -> None:
    key = shop["site"]
    leaver = member(site, "leaver@example.org", key, "owner")
    number = value(site, "SELECT id FROM chat_sitemember WHERE user_id = ?", leaver.user_id)
    chat = Vera(site, key).send("To the team").headers["X-Conversation-Id"]
    assert leaver.form(f"/sites/{key}/inbox/{chat}/takeover/").status_code == 302
    assert olive.form(f"/sites/{key}/team/{number}/removal/").status_code == 302
    for path in (
        "inbox/",
        f"inbox/{chat}/",
        f"inbox/{chat}/export.md",
        f"inbox/{chat}/updates/",
        "team/",
        "settings/",
        "people/",
        "inbox/waiting/",
    ):
        assert leaver.get(f"/sites/{key}/{path}").status_code == 404, path
    for path in (
        f"inbox/{chat}/turns/",
        f"inbox/{chat}/handback/",
        f"inbox/{chat}/notes/",
        "team/name/",
    ):
        came = leaver.form(f"/sites/{key}/{path}", {"text": "Taken", "key": "k" * 32, "name": "x"})
        assert came.status_code == 404, path
    assert value(site, "SELECT count(*) FROM chat_message WHERE text = 'Taken'") == 0


def test_two_owners_who_remove_each_other_leave_the_website_to_its_owner(
    site: Server, olive: Person, shop: Ids
) -> None:
    key = shop["site"]
    pair = [member(site, f"pair{n}@example.org", key, "owner") for n in range(2)]
    numbers = [
        value(site, "SELECT id FROM chat_sitemember WHERE user_id = ?", each.user_id)
        for each in pair
    ]
    racers = [
        threading.Thread(target=pair[n].form, args=[f"/sites/{key}/team/{numbers[1 - n]}/removal/"])
        for n in range(2)
    ]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert olive.get(f"/sites/{key}/team/").status_code == 200
    assert olive.get(f"/sites/{key}/settings/").status_code == 200
    for path in (f"team/{olive.user_id}/removal/", "team/0/removal/", "team/99999999/removal/"):
        assert olive.form(f"/sites/{key}/{path}").status_code == 404
