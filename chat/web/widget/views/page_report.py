"""Take what a visitor's browser says of the page around the chat."""

from typing import Annotated

import msgspec
from django.http import HttpResponse
from django.views.decorators.http import require_POST

from chat.accounts.principals import address_for_limits
from chat.database import threads
from chat.knowledge.models import ADDRESS_LENGTH
from chat.web.http.json_body import read_small_json
from chat.web.http.origin import require_json
from chat.web.http.shared_limits import arequire_rate
from chat.web.http.typed_requests import VisitorRequest
from chat.website_sources import freshness

#: Anybody can be many visitors, so a network address and a website have limits, too.
REPORTS_PER_MINUTE = 6
NETWORK_REPORTS_PER_MINUTE = 30
SITE_REPORTS_PER_MINUTE = 120


class _Report(msgspec.Struct):
    address: Annotated[str, msgspec.Meta(max_length=ADDRESS_LENGTH)]
    hash: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{16}$")]


@require_POST
async def report(request: VisitorRequest) -> HttpResponse:
    """Note the hash of a page's text; if it is new, the server reads the page again."""
    require_json(request)
    visit = request.visit
    page = read_small_json(request.body, _Report)
    network = address_for_limits(request)
    await arequire_rate("page_reports", str(visit.visitor.pk), REPORTS_PER_MINUTE)
    await arequire_rate("page_reports_from", network, NETWORK_REPORTS_PER_MINUTE)
    await arequire_rate("page_reports_of", visit.site.key, SITE_REPORTS_PER_MINUTE)
    await threads.writer.run(freshness.note, visit.site, page.address, page.hash)
    return HttpResponse(status=204)
