"""Type the requests that views receive. For annotations only: no code creates these classes."""

from django_htmx.middleware import HtmxDetails

from chat.accounts.known_request import KnownRequest
from chat.accounts.models import User
from chat.accounts.principals import Principal
from chat.widget_sites.visits import Visit


class MemberRequest(KnownRequest):
    """A request behind `login_required` or a stricter check."""

    user: User
    htmx: HtmxDetails


class VisitorRequest(KnownRequest):
    """A request below /w/, where sessions are ignored. `principal_of` reads `visitor`."""

    #: The origin of a page that may read the response; unset on other requests.
    allowed_origin: str
    #: The visitor, site and bearer token of the request; unset for anonymous callers.
    visit: Visit
    visitor: Principal
