"""The relay for a site's other front ends: they hold the conversation, nothing of it is stored."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from chat.accounts.principals import NOBODY, Principal
from chat.errors import NotFound
from chat.pages import challenge, cors
from chat.pages.origin import own_origin, require_json
from chat.pages.relay_request import question_of, read_visitors_request
from chat.pages.visiting import enter, passer_by, principal_of_visit
from chat.personas.manner import Manner
from chat.relay import life, models_on_offer, threads
from chat.relay.responses import first_response
from chat.relay.shedding import refuse_when_busy
from chat.relay.start import start_temporary
from chat.sites.manner import site_manner
from chat.sites.models import Site
from chat.sites.origins import matches
from chat.sites.visits import open_site


@csrf_exempt  # nothing counts that a browser sends by itself
@require_http_methods(["POST", "OPTIONS"])
async def chat(request: HttpRequest, site_key: str) -> HttpResponseBase:
    """Answers pages of the site's origins; for all others there is nothing here.

    That keeps other websites out, not programs, which may claim any origin: those the limits of
    address and site keep within bounds.
    """
    site = await threads.readers.run(open_site, site_key)
    if not _is_listed(request, site):
        raise NotFound
    cors.allow(request)
    if request.method == "OPTIONS":
        return HttpResponse(status=204)
    refuse_when_busy(life.current())
    if request.body:
        require_json(request)
    principal = await _principal(request, site)
    asked = read_visitors_request(request.body, site.default_prompt)
    manner = await threads.readers.run(site_manner, site.key) or Manner()
    model = models_on_offer.find(models_on_offer.id_of(manner.model))
    question = question_of(asked, model.id, manner, {"principal": _name_upstream(principal)})
    live = await start_temporary(principal, question, model, manner.fallback_model)
    return await first_response(live, principal)


def _is_listed(request: HttpRequest, site: Site) -> bool:
    origin = request.headers.get("Origin", "")
    return origin == own_origin(request) or matches(origin, site.origins)


async def _principal(request: HttpRequest, site: Site) -> Principal:
    if "Authorization" in request.headers:
        return principal_of_visit(request, await enter(request, site.key))
    await challenge.require_person(request.headers.get(challenge.HEADER, ""))
    return passer_by(request, site)


def _name_upstream(principal: Principal) -> str:
    """Addresses of people are no business of the model's service."""
    return f"site:{principal.site}" if principal.user_id == NOBODY else principal.key
