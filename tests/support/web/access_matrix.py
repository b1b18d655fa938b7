"""The access matrix of all web routes, and helpers to test it."""

import re
from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver

from tests.support.web.api_access import API_ROUTES
from tests.support.web.collection_routes import COLLECTION_ROUTES
from tests.support.web.project_routes import PROJECT_ROUTES
from tests.support.web.review_routes import REVIEW_ROUTES
from tests.support.web.website_answer_routes import WEBSITE_ANSWER_ROUTES

#: GET and POST as (anonymous, owner, another member, staff). Staff has no permissions here. 302:
#: redirected to sign-in or elsewhere; 401: the posted fields are kept. The owner is alice;
#: `{generation}` is hers.
MATRIX: dict[str, tuple[tuple[int, int, int, int], tuple[int, int, int, int]]] = {
    "": ((302, 302, 302, 302), (302, 302, 302, 302)),
    "chat/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "chat/allowance/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "chat/announcement/": ((405, 405, 405, 405), (302, 302, 302, 302)),
    "chat/connection/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "chat/stream": ((405, 405, 405, 405), (415, 415, 415, 415)),
    "generations/{generation}/stream": ((401, 200, 404, 404), (405, 405, 405, 405)),
    "generations/{generation}/cancellation": ((405, 405, 405, 405), (401, 200, 404, 404)),
    "chat/temporary/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "manifest.webmanifest": ((200, 200, 200, 200), (405, 405, 405, 405)),
    "chat/search/": ((401, 200, 200, 200), (405, 405, 405, 405)),
    "chat/models/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "chat/tools/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "chat/sidebar/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "chat/{conversation}/": ((302, 200, 404, 404), (405, 405, 405, 405)),
    "chat/{conversation}/title/": ((302, 200, 404, 404), (302, 302, 404, 404)),
    "chat/{conversation}/options/": ((302, 200, 404, 404), (405, 405, 405, 405)),
    "chat/{conversation}/state/": ((405, 405, 405, 405), (302, 400, 404, 404)),
    "chat/{conversation}/export.{kind}": ((302, 200, 404, 404), (405, 405, 405, 405)),
    "chat/{conversation}/print/": ((302, 200, 404, 404), (405, 405, 405, 405)),
    "chat/{conversation}/deletion/": ((302, 200, 404, 404), (302, 302, 404, 404)),
    "chat/{conversation}/restoration/": ((405, 405, 405, 405), (302, 404, 404, 404)),
    "chat/archive/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "chat/{conversation}/sharing/": ((302, 200, 404, 404), (302, 302, 404, 404)),
    "shared/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "shared/{link}/revocation/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "shared/{link}/update/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "shared/{link}/recipients/": ((302, 200, 404, 404), (302, 422, 404, 404)),
    "shared/with-me/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "shared/with-me/{link}/removal/": ((405, 405, 405, 405), (302, 404, 404, 404)),
    "s/{token}/": ((200, 200, 200, 200), (405, 405, 405, 405)),
    "s/{token}/images/{digest}": ((404, 404, 404, 404), (405, 405, 405, 405)),
    "s/{token}/continuation/": ((302, 200, 200, 200), (302, 302, 302, 302)),
    "chat/sends/{key}": ((401, 200, 404, 404), (405, 405, 405, 405)),
    "chat/documents/": ((405, 405, 405, 405), (401, 422, 422, 422)),
    "chat/transcription/": ((405, 405, 405, 405), (401, 400, 400, 400)),
    "chat/speech/": ((405, 405, 405, 405), (401, 400, 400, 400)),
    "chat/images/": ((405, 405, 405, 405), (401, 415, 415, 415)),
    "chat/images/{digest}": ((401, 404, 404, 404), (405, 405, 405, 405)),
    "chat/files/{file}": ((401, 404, 404, 404), (405, 405, 405, 405)),
    "chat/messages": ((405, 405, 405, 405), (415, 415, 415, 415)),
    "chat/{conversation}/messages": ((405, 405, 405, 405), (415, 415, 415, 415)),
    "chat/{conversation}/messages/{message}": ((401, 200, 404, 404), (405, 405, 405, 405)),
    "chat/{conversation}/allowed-tools/revocation/": (
        (405, 405, 405, 405),
        (302, 302, 404, 404),
    ),
    "chat/{conversation}/read": ((405, 405, 405, 405), (401, 204, 404, 404)),
    "chat/{conversation}/messages/{message}/rating": (
        (405, 405, 405, 405),
        (415, 415, 415, 415),
    ),
    "chat/{conversation}/pairs/{pair}/vote": ((405, 405, 405, 405), (415, 415, 415, 415)),
    "chat/{conversation}/pairs/{pair}/choice": ((405, 405, 405, 405), (415, 415, 415, 415)),
    "chat/{conversation}/messages/{message}/report": (
        (405, 405, 405, 405),
        (415, 415, 415, 415),
    ),
    "chat/report/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "chat/{conversation}/report": ((405, 405, 405, 405), (415, 415, 415, 415)),
    "chat/{conversation}/messages/{message}/deletion": (
        (405, 405, 405, 405),
        (401, 400, 404, 404),
    ),
    "chat/tool-calls/{call}": ((401, 200, 404, 404), (405, 405, 405, 405)),
    "chat/tool-calls/{call}/decision": ((405, 405, 405, 405), (415, 415, 415, 415)),
    "chat/{conversation}/messages/{message}/branch": ((405, 405, 405, 405), (401, 201, 404, 404)),
    "personas/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "personas/new/": ((302, 200, 200, 200), (302, 422, 422, 422)),
    "personas/{persona}/": ((302, 200, 404, 404), (302, 422, 404, 404)),
    "personas/{persona}/copy/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "personas/{persona}/deletion/": ((302, 200, 404, 404), (302, 302, 404, 404)),
    "prompts/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "prompts/new/": ((302, 200, 200, 200), (302, 422, 422, 422)),
    "prompts/import/": ((302, 200, 200, 200), (302, 422, 422, 422)),
    "prompts/names": ((401, 200, 200, 200), (405, 405, 405, 405)),
    "prompts/{prompt}/": ((302, 200, 404, 404), (302, 422, 404, 404)),
    "prompts/{prompt}/text": ((401, 200, 404, 404), (405, 405, 405, 405)),
    "prompts/{prompt}/deletion/": ((302, 200, 404, 404), (302, 302, 404, 404)),
    **COLLECTION_ROUTES,
    **PROJECT_ROUTES,
    **WEBSITE_ANSWER_ROUTES,
    "sites/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "sites/new/": ((302, 200, 200, 200), (302, 422, 422, 422)),
    "sites/{key}/": ((302, 200, 404, 404), (405, 405, 405, 405)),
    "sites/{key}/settings/": ((302, 200, 404, 404), (302, 422, 404, 404)),
    "sites/{key}/deletion/": ((302, 200, 404, 404), (302, 302, 404, 404)),
    "sites/{key}/preview/": ((302, 200, 404, 404), (405, 405, 405, 405)),
    "sites/{key}/look/": ((302, 200, 404, 404), (302, 302, 404, 404)),
    "sites/{key}/look/draft/": ((405, 405, 405, 405), (302, 200, 404, 404)),
    "sites/{key}/check/": ((302, 200, 404, 404), (302, 422, 404, 404)),
    "sites/{key}/sources/": ((302, 200, 404, 404), (405, 405, 405, 405)),
    "sites/{key}/sources/preview/": ((405, 405, 405, 405), (302, 422, 404, 404)),
    "sites/{key}/sources/new/": ((405, 405, 405, 405), (302, 422, 404, 404)),
    "sites/{key}/sources/watching/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "sites/{key}/sources/{source}/crawl/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "sites/{key}/sources/{source}/stop/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "sites/{key}/sources/{source}/audience/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "sites/{key}/sources/{source}/removal/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "sites/{key}/keys/": ((302, 200, 404, 404), (302, 422, 404, 404)),
    "sites/{key}/keys/{identity}/revocation/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    # The chat of these rows is not a visitor's: tests/web/inbox covers those.
    "sites/{key}/inbox/": ((302, 200, 404, 404), (405, 405, 405, 405)),
    "sites/{key}/inbox/selection/": ((405, 405, 405, 405), (302, 422, 404, 404)),
    "sites/{key}/inbox/{conversation}/": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "sites/{key}/inbox/{conversation}/images/{digest}": (
        (302, 404, 404, 404),
        (405, 405, 405, 405),
    ),
    "sites/{key}/inbox/{conversation}/files/{file}": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "sites/{key}/inbox/{conversation}/export.md": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "sites/{key}/inbox/{conversation}/live/{generation}/": (
        (302, 404, 404, 404),
        (405, 405, 405, 405),
    ),
    "sites/{key}/inbox/{conversation}/updates/": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "sites/{key}/inbox/{conversation}/stop/": ((405, 405, 405, 405), (302, 404, 404, 404)),
    "sites/{key}/inbox/{conversation}/takeover/": ((405, 405, 405, 405), (302, 404, 404, 404)),
    "sites/{key}/inbox/{conversation}/turns/": ((405, 405, 405, 405), (302, 400, 404, 404)),
    "sites/{key}/inbox/{conversation}/suggestion/": ((405, 405, 405, 405), (302, 404, 404, 404)),
    "sites/{key}/inbox/{conversation}/handback/": ((405, 405, 405, 405), (302, 404, 404, 404)),
    "sites/{key}/inbox/{conversation}/assignment/": ((405, 405, 405, 405), (302, 404, 404, 404)),
    "sites/{key}/inbox/{conversation}/snooze/": ((405, 405, 405, 405), (302, 404, 404, 404)),
    "sites/{key}/inbox/{conversation}/closing/": ((405, 405, 405, 405), (302, 404, 404, 404)),
    "sites/{key}/inbox/{conversation}/reopening/": ((405, 405, 405, 405), (302, 404, 404, 404)),
    "sites/{key}/inbox/{conversation}/labels/": ((405, 405, 405, 405), (302, 404, 404, 404)),
    "sites/{key}/labels/": ((302, 200, 404, 404), (302, 422, 404, 404)),
    # There is no label: tests/web/inbox covers this.
    "sites/{key}/labels/{label}/removal/": ((405, 405, 405, 405), (302, 404, 404, 404)),
    "sites/{key}/inbox/{conversation}/notes/": ((405, 405, 405, 405), (302, 404, 404, 404)),
    "sites/{key}/inbox/notes/{note}/deletion/": ((405, 405, 405, 405), (302, 404, 404, 404)),
    "sites/{key}/inbox/waiting/": ((302, 200, 404, 404), (405, 405, 405, 405)),
    "sites/{key}/people/": ((302, 200, 404, 404), (302, 302, 404, 404)),
    "sites/{key}/visitor-form/": ((302, 200, 404, 404), (302, 302, 404, 404)),
    # There is no webhook: tests/web/inbox covers this.
    "sites/{key}/people/webhook-test/": ((405, 405, 405, 405), (302, 404, 404, 404)),
    "sites/{key}/team/name/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "stop-emails/{token}/": ((404, 404, 404, 404), (404, 404, 404, 404)),
    "sites/{key}/team/": ((302, 200, 404, 404), (302, 422, 404, 404)),
    "sites/{key}/team/invitations/{invitation}/withdrawal/": (
        (405, 405, 405, 405),
        (302, 302, 404, 404),
    ),
    "sites/invitations/{invitation}/acceptance/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "sites/invitations/{invitation}/refusal/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "sites/{key}/team/{member}/removal/": ((405, 405, 405, 405), (302, 404, 404, 404)),
    "settings/": ((302, 200, 200, 200), (302, 302, 302, 302)),
    "settings/export.zip": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "settings/import/": ((302, 200, 200, 200), (302, 422, 422, 422)),
    "settings/api/": ((302, 200, 200, 200), (302, 422, 422, 422)),
    "settings/api/{api_key}/revocation/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "settings/personalization/": ((302, 200, 200, 200), (302, 302, 302, 302)),
    "settings/data/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "settings/data/evaluation/": ((405, 405, 405, 405), (302, 302, 302, 302)),
    "settings/security/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "settings/usage/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "settings/devices/": ((302, 200, 200, 200), (302, 400, 400, 400)),
    "settings/delete-account/": ((302, 200, 200, 200), (302, 422, 422, 422)),
    # Replies by email are off, as in most tests: tests/web/inbox/test_mail_replies.py
    "inbound-mail/mime": ((405, 405, 405, 405), (404, 404, 404, 404)),
    ".well-known/security.txt": ((404, 404, 404, 404), (405, 405, 405, 405)),
    **API_ROUTES,
    "code-preview/": ((200, 200, 200, 200), (405, 405, 405, 405)),
    "chat/notices/worker.js": ((200, 200, 200, 200), (405, 405, 405, 405)),
    "w.js": ((200, 200, 200, 200), (405, 405, 405, 405)),
    "w-panel.js": ((200, 200, 200, 200), (405, 405, 405, 405)),
    **REVIEW_ROUTES,
    "chat/warnings/{warning}/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "review/notes/{note}/deletion/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "settings/access-history/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "brand/accent-{digits}.css": ((200, 200, 200, 200), (405, 405, 405, 405)),
    "brand/logo/{digest}": ((404, 404, 404, 404), (405, 405, 405, 405)),
    "healthz": ((200, 200, 200, 200), (405, 405, 405, 405)),
    "readyz": ((200, 200, 200, 200), (405, 405, 405, 405)),
    "metrics": ((200, 200, 200, 200), (405, 405, 405, 405)),  # requested from this machine
    "streamz": ((404, 404, 404, 404), (404, 404, 404, 404)),  # needs the token of `doctor`
    "accounts/setup/": ((404, 404, 404, 404), (404, 404, 404, 404)),
    "accounts/setup/{token}/": ((404, 404, 404, 404), (405, 405, 405, 405)),
    "accounts/invitation/": ((404, 404, 404, 404), (404, 404, 404, 404)),
    "accounts/invitation/{token}/": ((404, 404, 404, 404), (405, 405, 405, 405)),
    # Without a provider, as in most tests: tests/accounts/single_sign_on/
    "accounts/sso/": ((405, 405, 405, 405), (404, 404, 404, 404)),
    "accounts/sso/callback/": ((404, 404, 404, 404), (405, 405, 405, 405)),
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
    # All are asked to reauthenticate first: tests/accounts/test_passkeys.py continues from there.
    "accounts/2fa/webauthn/keys/{pk}/edit/": ((302, 302, 302, 302), (302, 302, 302, 302)),
    "accounts/2fa/webauthn/keys/{pk}/remove/": ((302, 302, 302, 302), (302, 302, 302, 302)),
    "accounts/2fa/recovery-codes/": ((302, 404, 404, 404), (302, 405, 405, 405)),
    "accounts/2fa/recovery-codes/generate/": ((302, 302, 302, 302), (302, 302, 302, 302)),
    "accounts/2fa/recovery-codes/download/": ((302, 404, 404, 404), (302, 404, 404, 404)),
    "accounts/login/code/confirm/": ((302, 302, 302, 302), (302, 302, 302, 302)),
}


def routes(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            yield named(route)


def named(route: str) -> str:
    """Return the route with `{name}` for each converter or group."""
    route = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route)
    route = re.sub(r"\(\?P\{(\w+)\}[^)]*\)(\+\))?", r"{\1}", route)
    return re.sub(r"[\^$]", "", route).replace("\\Z", "").replace("_id}", "}")


#: No members below /w/: tests/web/widget/test_access.py.
ALL = sorted(r for r in set(routes(get_resolver().url_patterns)) if not r.startswith("w/"))
