"""Who gets what from every route: generated from the URLconf, so a new route without an entry fails."""

import re
from collections.abc import Iterator

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.urls import URLPattern, URLResolver, get_resolver

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.personas.models import Persona, Prompt
from chat.review.moderation.warnings import Warned
from chat.sharing.models import SharedLink
from chat.sharing.shared_links import Choices, make
from chat.widget_sites.identity_keys import make_secret
from chat.widget_sites.models import Site
from tests.support.streams import read_stream
from tests.web.test_sending import send

#: GET and POST as (anonymous, owner, another member, staff). Staff here has no permissions at all.
#: 302: sent to sign in, or away; 401: what was posted is kept. Owner is alice; `{generation}` is hers.
MATRIX: dict[str, tuple[tuple[int, int, int, int], tuple[int, int, int, int]]] = {
    "": ((302, 302, 302, 302), (302, 302, 302, 302)),
    "chat/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "chat/allowance/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "chat/connection/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "chat/stream": ((405, 405, 405, 405), (415, 415, 415, 415)),
    "generations/{generation}/stream": ((401, 200, 404, 404), (405, 405, 405, 405)),
    "generations/{generation}/cancellation": ((405, 405, 405, 405), (401, 200, 404, 404)),
    "chat/temporary/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "chat/search/": ((401, 200, 200, 200), (405, 405, 405, 405)),
    "chat/sidebar/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "chat/{conversation}/": ((302, 200, 404, 404), (405, 405, 405, 405)),
    "chat/{conversation}/title/": ((302, 200, 404, 404), (302, 302, 404, 404)),
    "chat/{conversation}/place/": ((405, 405, 405, 405), (302, 400, 404, 404)),
    "chat/{conversation}/export.{kind}": ((302, 200, 404, 404), (405, 405, 405, 405)),
    "chat/{conversation}/deletion/": ((302, 200, 404, 404), (302, 302, 404, 404)),
    "chat/{conversation}/restoration/": ((405, 405, 405, 405), (302, 404, 404, 404)),
    "chat/archive/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "chat/{conversation}/sharing/": ((302, 200, 404, 404), (302, 302, 404, 404)),
    "shared/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "shared/{link}/revocation/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "shared/{link}/renewal/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "s/{token}/": ((200, 200, 200, 200), (405, 405, 405, 405)),
    "s/{token}/continuation/": ((302, 200, 200, 200), (302, 302, 302, 302)),
    "chat/sends/{key}": ((401, 200, 404, 404), (405, 405, 405, 405)),
    "chat/messages": ((405, 405, 405, 405), (415, 415, 415, 415)),
    "chat/{conversation}/messages": ((405, 405, 405, 405), (415, 415, 415, 415)),
    "chat/{conversation}/messages/{message}": ((401, 200, 404, 404), (405, 405, 405, 405)),
    "chat/{conversation}/reading": ((405, 405, 405, 405), (401, 204, 404, 404)),
    "chat/{conversation}/messages/{message}/rating": (
        (405, 405, 405, 405),
        (415, 415, 415, 415),
    ),
    "chat/{conversation}/messages/{message}/report": (
        (405, 405, 405, 405),
        (415, 415, 415, 415),
    ),
    "chat/{conversation}/report": ((405, 405, 405, 405), (415, 415, 415, 415)),
    "chat/{conversation}/messages/{message}/deletion": (
        (405, 405, 405, 405),
        (401, 400, 404, 404),
    ),
    "chat/{conversation}/messages/{message}/branch": ((405, 405, 405, 405), (401, 201, 404, 404)),
    "personas/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "personas/new/": ((302, 200, 200, 200), (302, 422, 422, 422)),
    "personas/{persona}/": ((302, 200, 404, 404), (302, 422, 404, 404)),
    "personas/{persona}/copy/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "personas/{persona}/deletion/": ((302, 200, 404, 404), (302, 302, 404, 404)),
    "prompts/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "prompts/new/": ((302, 200, 200, 200), (302, 422, 422, 422)),
    "prompts/names": ((401, 200, 200, 200), (405, 405, 405, 405)),
    "prompts/{prompt}/": ((302, 200, 404, 404), (302, 422, 404, 404)),
    "prompts/{prompt}/text": ((401, 200, 404, 404), (405, 405, 405, 405)),
    "prompts/{prompt}/deletion/": ((302, 200, 404, 404), (302, 302, 404, 404)),
    "sites/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "sites/new/": ((302, 200, 200, 200), (302, 422, 422, 422)),
    "sites/{key}/": ((302, 200, 404, 404), (405, 405, 405, 405)),
    "sites/{key}/settings/": ((302, 200, 404, 404), (302, 422, 404, 404)),
    "sites/{key}/deletion/": ((302, 200, 404, 404), (302, 302, 404, 404)),
    "sites/{key}/preview/": ((302, 200, 404, 404), (405, 405, 405, 405)),
    "sites/{key}/check/": ((302, 200, 404, 404), (302, 422, 404, 404)),
    "sites/{key}/keys/": ((302, 200, 404, 404), (302, 422, 404, 404)),
    "sites/{key}/keys/{identity}/revocation/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "settings/": ((302, 200, 200, 200), (302, 302, 302, 302)),
    "settings/everything.zip": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "settings/import/": ((302, 200, 200, 200), (302, 422, 422, 422)),
    "settings/devices/": ((302, 200, 200, 200), (302, 400, 400, 400)),
    "settings/departure/": ((302, 200, 200, 200), (302, 422, 422, 422)),
    ".well-known/security.txt": ((404, 404, 404, 404), (405, 405, 405, 405)),
    "w.js": ((200, 200, 200, 200), (405, 405, 405, 405)),
    # Staff without permissions is nobody here; tests/review/test_access.py has those who review.
    "review/": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/reason/": ((302, 404, 404, 404), (401, 404, 404, 404)),
    "review/record/": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/measures/": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/measures/{name}.{kind}": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/record/deeds/": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/record/looks.{kind}": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/record/deeds.{kind}": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/people/": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/people.csv": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/people/{user}/account/": ((302, 404, 404, 404), (401, 404, 404, 404)),
    "review/invitations/": ((302, 404, 404, 404), (401, 404, 404, 404)),
    "review/groups/": ((302, 404, 404, 404), (401, 404, 404, 404)),
    "review/groups/{group}/": ((302, 404, 404, 404), (401, 404, 404, 404)),
    "review/quotas/{kind}/{key}/": ((302, 404, 404, 404), (401, 404, 404, 404)),
    "review/people/{user}/approval/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/people/{user}/refusal/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/people/{user}/reset/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/people/{user}/address/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/people/{user}/deletion/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/people/{user}/second-factor/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/people/{user}/sessions/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/invitations/{invitation}/withdrawal/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/groups/{group}/deletion/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/groups/{group}/members/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/groups/{group}/scopes/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/groups/{group}/access/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/views/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/views/{view}/deletion/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/queue/": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/queue/next/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/queue/selection/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/queue/export.{kind}": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/cases/{case}/claim/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/cases/{case}/release/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/cases/{case}/assignment/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/cases/{case}/settlement/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/rules/": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/rules/new/": ((302, 404, 404, 404), (401, 404, 404, 404)),
    "review/rules/{rule}/": ((302, 404, 404, 404), (401, 404, 404, 404)),
    "review/rules/{rule}/deletion/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/rules/{rule}/past/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/{conversation}/flags/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/{conversation}/": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/live/": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/live/now/": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/{conversation}/live/{generation}/": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/{conversation}/news/": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/{conversation}/stop/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/{conversation}/takeover/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/{conversation}/turns/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/{conversation}/handback/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/{conversation}/notes/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/{conversation}/messages/{message}/hiding/": (
        (405, 405, 405, 405),
        (401, 404, 404, 404),
    ),
    "review/{conversation}/closing/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/{conversation}/holding/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/people/{key}/": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/people/{key}/warning/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/people/{key}/warnings/{warning}/withdrawal/": (
        (405, 405, 405, 405),
        (401, 404, 404, 404),
    ),
    "review/people/{key}/suspension/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/people/{key}/limit/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/sites/{key}/": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/sites/{key}/suspension/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/sites/{key}/limit/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "chat/warnings/{warning}/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "review/notes/{note}/deletion/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "settings/readers/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "healthz": ((200, 200, 200, 200), (405, 405, 405, 405)),
    "readyz": ((200, 200, 200, 200), (405, 405, 405, 405)),
    "metrics": ((200, 200, 200, 200), (405, 405, 405, 405)),  # asked from this machine
    "accounts/setup/": ((404, 404, 404, 404), (404, 404, 404, 404)),
    "accounts/setup/{token}/": ((404, 404, 404, 404), (405, 405, 405, 405)),
    "accounts/invitation/": ((404, 404, 404, 404), (404, 404, 404, 404)),
    "accounts/invitation/{token}/": ((404, 404, 404, 404), (405, 405, 405, 405)),
    "accounts/signup/": ((200, 302, 302, 302), (200, 302, 302, 302)),
    "accounts/login/": ((200, 302, 302, 302), (200, 302, 302, 302)),
    "accounts/logout/": ((302, 200, 200, 200), (302, 302, 302, 302)),
    "accounts/inactive/": ((200, 200, 200, 200), (405, 405, 405, 405)),
    "accounts/reauthenticate/": ((302, 200, 200, 200), (302, 200, 200, 200)),
    "accounts/password/change/": ((302, 200, 200, 200), (302, 200, 200, 200)),
    "accounts/password/set/": ((302, 302, 302, 302), (302, 302, 302, 302)),
    "accounts/password/reset/": ((200, 200, 200, 200), (200, 200, 200, 200)),
    "accounts/password/reset/done/": ((200, 200, 200, 200), (405, 405, 405, 405)),
    "accounts/password/reset/key/{uidb36}-{key}/": ((200, 200, 200, 200), (200, 200, 200, 200)),
    "accounts/password/reset/key/done/": ((200, 200, 200, 200), (405, 405, 405, 405)),
    "accounts/email/": ((302, 200, 200, 200), (302, 302, 302, 302)),
    "accounts/confirm-email/": ((200, 200, 200, 200), (405, 405, 405, 405)),
    "accounts/confirm-email/{key}/": ((200, 200, 200, 200), (404, 404, 404, 404)),
    "accounts/2fa/": ((302, 200, 200, 200), (302, 405, 405, 405)),
    "accounts/2fa/authenticate/": ((302, 302, 302, 302), (302, 302, 302, 302)),
    "accounts/2fa/reauthenticate/": ((302, 302, 302, 302), (302, 302, 302, 302)),
    "accounts/2fa/totp/activate/": ((302, 302, 302, 302), (302, 302, 302, 302)),
    "accounts/2fa/totp/deactivate/": ((302, 404, 404, 404), (302, 404, 404, 404)),
    "accounts/2fa/webauthn/": ((302, 200, 200, 200), (302, 405, 405, 405)),
    "accounts/2fa/webauthn/add/": ((302, 302, 302, 302), (302, 302, 302, 302)),
    "accounts/2fa/webauthn/login/": ((302, 302, 302, 302), (302, 302, 302, 302)),
    "accounts/2fa/webauthn/reauthenticate/": ((302, 302, 302, 302), (302, 302, 302, 302)),
    # First all are asked who they are: tests/accounts/test_passkeys.py goes on from there.
    "accounts/2fa/webauthn/keys/{pk}/edit/": ((302, 302, 302, 302), (302, 302, 302, 302)),
    "accounts/2fa/webauthn/keys/{pk}/remove/": ((302, 302, 302, 302), (302, 302, 302, 302)),
    "accounts/2fa/recovery-codes/": ((302, 404, 404, 404), (302, 405, 405, 405)),
    "accounts/2fa/recovery-codes/generate/": ((302, 302, 302, 302), (302, 302, 302, 302)),
    "accounts/2fa/recovery-codes/download/": ((302, 404, 404, 404), (302, 404, 404, 404)),
    "accounts/login/code/confirm/": ((302, 302, 302, 302), (302, 302, 302, 302)),
}
#: The admin: everybody but staff is sent away, and staff without permissions sees no object.
ADMIN_OPEN_TO_STAFF = {
    "admin/", "admin/jsi18n/", "admin/password_change/", "admin/password_change/done/",
    "admin/logout/", "admin/login/", "admin/autocomplete/",
}  # fmt: skip


def routes(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            yield named(route)


def named(route: str) -> str:
    """The route with `{name}` for each converter or group."""
    route = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route)
    route = re.sub(r"\(\?P\{(\w+)\}[^)]*\)(\+\))?", r"{\1}", route)
    return re.sub(r"[\^$]", "", route).replace("\\Z", "").replace("_id}", "}")


#: Below /w/ there are no members: tests/widget/test_access.py.
ALL = sorted(r for r in set(routes(get_resolver().url_patterns)) if not r.startswith("w/"))


def test_every_route_is_in_the_matrix() -> None:
    assert [route for route in ALL if route not in MATRIX and not route.startswith("admin/")] == []
    assert [route for route in MATRIX if route not in ALL] == []


@pytest.mark.parametrize("route", list(MATRIX))
async def test_each_route_answers_each_person_as_stated(
    route: str,
    alice: User,
    nobodys: AsyncClient,
    alices: AsyncClient,
    bobs: AsyncClient,
    ritas: AsyncClient,
) -> None:
    path = "/" + route
    message_id = ""
    if route.startswith(("review/{", "chat/{", "chat/sends/", "generations/", "shared/{", "s/{")):
        response = await send(alices, key="alices-send", text="Hello")
        await read_stream(response)
        path = path.replace("sends/{key}", "sends/alices-send")
        for name in ("Generation", "Conversation", "Message"):
            path = path.replace(f"{{{name.lower()}}}", response[f"X-{name}-Id"])
        message_id = response["X-Message-Id"]
        if route.startswith(("shared/{", "s/{")):
            link = await shared(response["X-Conversation-Id"])
            path = path.replace("{link}", str(link.pk)).replace("{token}", link.token)
    for kind in (Persona, Prompt):
        one = await kind.objects.acreate(owner=alice, name="Hers")
        path = path.replace(f"{{{kind._meta.model_name}}}", str(one.pk))
    if route.startswith("sites/{"):
        site = await Site.objects.acreate(owner=alice, name="Hers")
        key, _secret = await sync_to_async(make_secret)(site)
        path = path.replace("{key}", site.key).replace("{identity}", str(key.pk))
    path = path.replace("{token}", "guess").replace("{key}", "guess").replace("{uidb36}", "1")
    if "{warning}" in route:
        one = await Warned.objects.acreate(person=alice, text="Hers")
        path = path.replace("{warning}", str(one.pk))
    path = path.replace("{kind}", "json").replace("{view}", "1").replace("{note}", "1")
    path = path.replace("{pk}", "1")
    path = path.replace("{name}", "people").replace("{user}", str(alice.pk))
    path = path.replace("{group}", "1").replace("{invitation}", "1")
    path = path.replace("{case}", "1").replace("{rule}", "1")
    everyone = zip((nobodys, alices, bobs, ritas), *MATRIX[route], strict=True)
    for who, get_status, post_status in sorted(everyone, key=lambda row: row[0] is alices):
        got = await who.get(path)
        assert got.status_code == get_status, (path, "GET")
        if hasattr(got, "streaming_content") and got.streaming:
            await read_stream(got)
        form = {"last": message_id}  # what sharing asks for
        asked = await (who.post(path, form) if "sharing" in path else who.post(path))
        assert asked.status_code == post_status, (path, "POST")


@sync_to_async
def shared(conversation_id: str) -> SharedLink:
    return make(Conversation.objects.get(pk=conversation_id), Choices())


async def test_the_admin_is_for_staff_with_permissions(
    alice: User, nobodys: AsyncClient, alices: AsyncClient, ritas: AsyncClient
) -> None:
    admin = [route for route in ALL if route.startswith("admin/")]
    assert len(admin) > 50
    for route in sorted(admin, key=lambda each: "logout" in each):  # at last: it works for all
        path = "/" + re.sub(r"\{[^}]*\}", str(alice.pk), route)
        path = path.replace("(?P", "").replace(")", "")
        for who in (nobodys, alices):
            assert (await who.get(path)).status_code in {302, 403, 404}, path
            assert (await who.post(path)).status_code in {302, 403, 404}, path
        for_staff = {200, 302, 403, 405} if route in ADMIN_OPEN_TO_STAFF else {302, 403, 404}
        assert (await ritas.get(path)).status_code in for_staff, path
