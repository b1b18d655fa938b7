"""The access matrix of staff pages; every page that shows a member's text is logged."""

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.conversations.models import Conversation
from tests.support.review.member_pages import WHY
from tests.support.web.access_matrix import ALL
from tests.support.web.access_paths import path_to, state_reason
from tests.support.web.evaluation_routes import STAFF_ROUTES

#: GET and POST as (reviewer in scope, reviewer out of it, lead, administrator), each with a reason.
MATRIX = {
    "review/": ((200, 200, 200, 200), (405, 405, 405, 405)),
    "review/find/": ((200, 200, 200, 200), (405, 405, 405, 405)),
    "review/reason/": ((200, 200, 200, 200), (302, 302, 302, 302)),
    "review/audit/": ((404, 404, 200, 200), (405, 405, 405, 405)),
    "review/analytics/": ((404, 404, 200, 200), (405, 405, 405, 405)),
    "review/analytics/votes/": ((404, 404, 200, 200), (405, 405, 405, 405)),
    "review/analytics/{name}.{kind}": ((404, 404, 200, 200), (405, 405, 405, 405)),
    "review/audit/actions/": ((404, 404, 200, 200), (405, 405, 405, 405)),
    "review/audit/access.{kind}": ((404, 404, 200, 200), (405, 405, 405, 405)),
    "review/audit/actions.{kind}": ((404, 404, 200, 200), (405, 405, 405, 405)),
    "review/data-requests/": ((404, 404, 404, 200), (405, 405, 405, 405)),
    "review/data-requests/people/{user}/": ((404, 404, 404, 200), (405, 405, 405, 405)),
    "review/data-requests/people/{user}/record.zip": ((405, 405, 405, 405), (404, 404, 404, 422)),
    "review/data-requests/people/{user}/erasure/": ((405, 405, 405, 405), (404, 404, 404, 422)),
    "review/data-requests/people/{user}/{request}/refusal/": (
        (405, 405, 405, 405),
        (404, 404, 404, 404),
    ),
    "review/data-requests/people/{user}/{request}/certificate.zip": (
        (404, 404, 404, 404),
        (405, 405, 405, 405),
    ),
    "review/people/": ((404, 404, 404, 200), (405, 405, 405, 405)),
    "review/people.csv": ((404, 404, 404, 200), (405, 405, 405, 405)),
    "review/people/{user}/account/": ((404, 404, 404, 200), (404, 404, 404, 302)),
    "review/people/{user}/approval/": ((405, 405, 405, 405), (404, 404, 404, 400)),
    "review/people/{user}/refusal/": ((405, 405, 405, 405), (404, 404, 404, 400)),
    "review/people/{user}/password-reset/": ((405, 405, 405, 405), (404, 404, 404, 302)),
    "review/people/{user}/email-address/": ((405, 405, 405, 405), (404, 404, 404, 422)),
    "review/people/{user}/deletion/": ((405, 405, 405, 405), (404, 404, 404, 400)),
    "review/people/{user}/second-factor/": ((405, 405, 405, 405), (404, 404, 404, 400)),
    "review/people/{user}/api-keys/{api_key}/revocation/": (
        (405, 405, 405, 405),
        (404, 404, 404, 404),
    ),
    "review/people/{user}/scopes/": ((405, 405, 405, 405), (404, 404, 404, 422)),
    "review/people/{user}/sessions/": ((405, 405, 405, 405), (404, 404, 404, 302)),
    "review/invitations/": ((404, 404, 404, 200), (404, 404, 404, 422)),
    "review/invitations/{invitation}/withdrawal/": ((405, 405, 405, 405), (404, 404, 404, 302)),
    "review/groups/": ((404, 404, 404, 200), (404, 404, 404, 422)),
    "review/groups/{group}/": ((404, 404, 404, 200), (404, 404, 404, 422)),
    "review/groups/{group}/deletion/": ((405, 405, 405, 405), (404, 404, 404, 302)),
    "review/groups/{group}/members/": ((405, 405, 405, 405), (404, 404, 404, 422)),
    "review/groups/{group}/scopes/": ((405, 405, 405, 405), (404, 404, 404, 422)),
    "review/groups/{group}/retention/": ((405, 405, 405, 405), (404, 404, 404, 302)),
    "review/groups/{group}/access/": ((405, 405, 405, 405), (404, 404, 404, 302)),
    "review/quotas/{kind}/{key}/": ((404, 404, 404, 200), (404, 404, 404, 302)),
    "review/models/": ((404, 404, 404, 200), (404, 404, 404, 302)),
    "review/models/changes/": ((404, 404, 404, 200), (404, 404, 404, 302)),
    "review/models/edit/{model}/": ((404, 404, 404, 200), (404, 404, 404, 302)),
    "review/setup/": ((404, 404, 404, 200), (404, 404, 404, 302)),
    "review/site/": ((404, 404, 404, 200), (404, 404, 404, 302)),
    "review/site/sign-up/": ((404, 404, 404, 200), (404, 404, 404, 422)),
    "review/site/welcome/": ((404, 404, 404, 200), (404, 404, 404, 302)),
    "review/site/retention/": ((404, 404, 404, 200), (404, 404, 404, 302)),
    "review/site/judge/": ((404, 404, 404, 200), (404, 404, 404, 302)),
    "review/site/comparison/": ((404, 404, 404, 200), (404, 404, 404, 302)),
    "review/site/suggested-questions/": ((404, 404, 404, 200), (404, 404, 404, 302)),
    "review/site/personal-data/": ((404, 404, 404, 200), (404, 404, 404, 302)),
    "review/site/model/": ((404, 404, 404, 200), (404, 404, 404, 422)),
    "review/site/model/local/": ((405, 405, 405, 405), (404, 404, 404, 200)),
    "review/site/model/trial/": ((405, 405, 405, 405), (404, 404, 404, 422)),
    "review/site/models/": ((404, 404, 404, 200), (404, 404, 404, 422)),
    "review/site/case-webhook/": ((404, 404, 404, 200), (404, 404, 404, 302)),
    "review/site/case-webhook/test/": ((405, 405, 405, 405), (404, 404, 404, 404)),
    "review/site/service-keys/": ((404, 404, 404, 200), (404, 404, 404, 422)),
    "review/site/service-keys/{service_key}/revocation/": (
        (405, 405, 405, 405),
        (404, 404, 404, 404),
    ),
    "review/site/tools/": ((404, 404, 404, 200), (405, 405, 405, 405)),
    "review/site/tools/new/": ((404, 404, 404, 200), (404, 404, 404, 422)),
    "review/site/tools/{server}/": ((404, 404, 404, 200), (404, 404, 404, 422)),
    "review/site/tools/{server}/listing/": ((405, 405, 405, 405), (404, 404, 404, 302)),
    "review/site/tools/{server}/tools/": ((405, 405, 405, 405), (404, 404, 404, 302)),
    "review/site/tools/{server}/sign-in/": ((405, 405, 405, 405), (404, 404, 404, 302)),
    "review/site/tools/{server}/sign-out/": ((405, 405, 405, 405), (404, 404, 404, 302)),
    "review/site/tools/signed-in/": ((404, 404, 404, 302), (405, 405, 405, 405)),
    "review/site/tools/{server}/deletion/": ((405, 405, 405, 405), (404, 404, 404, 302)),
    "review/status/": ((404, 404, 404, 200), (405, 405, 405, 405)),
    "review/notifications/": ((200, 200, 200, 200), (302, 302, 302, 302)),
    "review/saved-searches/": ((405, 405, 405, 405), (302, 302, 302, 302)),
    "review/saved-searches/{view}/deletion/": ((405, 405, 405, 405), (404, 404, 404, 404)),
    "review/queue/": ((200, 200, 200, 200), (405, 405, 405, 405)),
    "review/queue/next/": ((405, 405, 405, 405), (302, 302, 302, 302)),
    "review/queue/selection/": ((405, 405, 405, 405), (422, 422, 422, 422)),
    "review/queue/export.{kind}": ((200, 200, 200, 200), (405, 405, 405, 405)),
    "review/cases/{case}/claim/": ((405, 405, 405, 405), (302, 404, 302, 302)),
    "review/cases/{case}/release/": ((405, 405, 405, 405), (302, 404, 302, 302)),
    "review/cases/{case}/assignment/": ((405, 405, 405, 405), (404, 404, 302, 302)),
    "review/cases/{case}/resolution/": ((405, 405, 405, 405), (422, 404, 422, 422)),
    "review/cases/{case}/reopening/": ((405, 405, 405, 405), (302, 404, 302, 302)),
    "review/ratings/": ((200, 200, 200, 200), (405, 405, 405, 405)),
    "review/ratings/next/": ((405, 405, 405, 405), (302, 302, 302, 302)),
    "review/rating-forms/": ((404, 404, 200, 200), (405, 405, 405, 405)),
    "review/rating-forms/new/": ((404, 404, 200, 200), (404, 404, 422, 422)),
    "review/rating-forms/{form}/": ((404, 404, 200, 200), (405, 405, 405, 405)),
    "review/rating-forms/{form}/questions/": ((404, 404, 200, 200), (404, 404, 422, 422)),
    "review/rating-forms/{form}/deletion/": ((405, 405, 405, 405), (404, 404, 302, 404)),
    "review/rating-forms/{form}/disagreements/": ((404, 404, 200, 200), (405, 405, 405, 405)),
    "review/rating-forms/{form}/ratings.{kind}": ((404, 404, 200, 200), (405, 405, 405, 405)),
    "review/rating-forms/{form}/samples/new/": ((404, 404, 200, 200), (404, 404, 422, 422)),
    "review/rating-forms/{form}/samples/{sample}/": ((404, 404, 200, 200), (404, 404, 422, 422)),
    "review/rating-forms/{form}/samples/{sample}/deletion/": (
        (405, 405, 405, 405),
        (404, 404, 302, 404),
    ),
    "review/rating-forms/{form}/samples/{sample}/draws/": (
        (405, 405, 405, 405),
        (404, 404, 302, 302),
    ),
    "review/{conversation}/ratings/{form}/": ((405, 405, 405, 405), (422, 404, 422, 422)),
    "review/notes/{note}/replies/": ((405, 405, 405, 405), (422, 404, 422, 422)),
    "review/notes/{note}/text/": ((405, 405, 405, 405), (422, 404, 422, 422)),
    "review/notes/{note}/resolution/": ((405, 405, 405, 405), (302, 404, 302, 302)),
    "review/rules/": ((404, 404, 200, 200), (405, 405, 405, 405)),
    "review/rules/new/": ((404, 404, 200, 200), (404, 404, 422, 422)),
    "review/rules/{rule}/": ((404, 404, 200, 200), (404, 404, 422, 422)),
    "review/rules/trial/": ((405, 405, 405, 405), (404, 404, 422, 422)),
    "review/rules/{rule}/withdrawal/": ((405, 405, 405, 405), (404, 404, 302, 302)),
    "review/rules/{rule}/backfill/": ((405, 405, 405, 405), (404, 404, 302, 302)),
    # The withdrawal above is still going on.
    "review/rules/{rule}/deletion/": ((405, 405, 405, 405), (404, 404, 302, 404)),
    **STAFF_ROUTES,
    "review/{conversation}/flags/": ((405, 405, 405, 405), (422, 404, 422, 422)),
    "review/{conversation}/": ((200, 404, 200, 200), (405, 405, 405, 405)),
    "review/{conversation}/images/{digest}": ((200, 404, 200, 200), (405, 405, 405, 405)),
    "review/{conversation}/files/{file}": ((200, 404, 200, 200), (405, 405, 405, 405)),
    "review/live/": ((200, 200, 200, 200), (405, 405, 405, 405)),
    "review/live/now/": ((200, 200, 200, 200), (405, 405, 405, 405)),
    "review/{conversation}/live/{generation}/": ((200, 404, 200, 200), (405, 405, 405, 405)),
    "review/{conversation}/updates/": ((200, 404, 200, 200), (405, 405, 405, 405)),
    "review/{conversation}/stop/": ((405, 405, 405, 405), (302, 404, 302, 302)),
    "review/{conversation}/takeover/": ((405, 405, 405, 405), (400, 404, 400, 400)),
    "review/{conversation}/turns/": ((405, 405, 405, 405), (400, 400, 400, 400)),
    "review/{conversation}/handback/": ((405, 405, 405, 405), (302, 404, 302, 302)),
    "review/{conversation}/notes/": ((405, 405, 405, 405), (422, 404, 422, 422)),
    "review/{conversation}/messages/{message}/redaction/": (
        (405, 405, 405, 405),
        (302, 404, 302, 302),
    ),
    "review/{conversation}/closure/": ((405, 405, 405, 405), (302, 404, 302, 302)),
    "review/{conversation}/legal-hold/": ((405, 405, 405, 405), (404, 404, 302, 302)),
    "review/people/{person}/": ((200, 404, 200, 200), (405, 405, 405, 405)),
    "review/people/{person}/warning/": ((405, 405, 405, 405), (404, 404, 422, 422)),
    "review/people/{person}/warnings/{warning}/withdrawal/": (
        (405, 405, 405, 405),
        (404, 404, 302, 302),
    ),
    "review/people/{person}/suspension/": ((405, 405, 405, 405), (404, 404, 302, 302)),
    "review/people/{person}/limit/": ((405, 405, 405, 405), (404, 404, 422, 422)),
    "review/sites/{site}/": ((404, 404, 200, 200), (405, 405, 405, 405)),
    "review/sites/{site}/suspension/": ((405, 405, 405, 405), (404, 404, 302, 302)),
    "review/sites/{site}/limit/": ((405, 405, 405, 405), (404, 404, 422, 422)),
    "review/sites/{site}/scopes/": ((405, 405, 405, 405), (404, 404, 404, 422)),
    "review/notes/{note}/deletion/": ((405, 405, 405, 405), (404, 404, 404, 404)),
}
#: Route patterns as in the resolver.
KEYS = {"people/{person}": "people/{key}", "sites/{site}": "sites/{key}"}
REVIEW = [route for route in ALL if route.startswith("review/")]


def test_every_staff_route_is_in_the_matrix() -> None:
    named = list(MATRIX)
    for ours, theirs in KEYS.items():
        named = [route.replace(ours, theirs) for route in named]
    assert sorted(named) == REVIEW


def changes(route: str) -> bool:
    """Return whether a POST changes something, so that other routes need what was there anew."""
    return 302 in MATRIX[route][1] and route != "review/reason/"


#: Routes that are asked after each other.
TOGETHER = [
    [route for route in MATRIX if not changes(route)],
    *([route] for route in MATRIX if changes(route)),
]


@pytest.mark.every_variant
@pytest.mark.parametrize("routes", TOGETHER, ids=lambda routes: routes[0])
async def test_each_role_gets_the_expected_response(
    routes: list[str], hers: Conversation, staff: list[AsyncClient]
) -> None:
    wrong = []
    for who in staff:
        await state_reason(who)
    for route in routes:
        path = await sync_to_async(path_to)(route, hers)
        for number, (who, *due) in enumerate(zip(staff, *MATRIX[route], strict=True)):
            read = await who.get(path)
            posted = await who.post(path, {"reason": WHY, "suspension-reason": WHY})
            if (found := [read.status_code, posted.status_code]) != due:
                wrong.append((path, number, found))
    assert wrong == []
