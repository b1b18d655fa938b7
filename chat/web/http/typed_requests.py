"""Requests as views get them. Types only: no code makes objects of these classes."""

from django_htmx.middleware import HtmxDetails

from chat.accounts.known_request import KnownRequest
from chat.accounts.models import User
from chat.accounts.principals import Principal
from chat.widget_sites.visits import Visit


class MemberRequest(KnownRequest):
    """Behind `login_required`, and what asks for more than that."""

    user: User
    htmx: HtmxDetails


class VisitorRequest(KnownRequest):
    """Below /w/, where no session counts. `principal_of` reads `visitor`."""

    #: The origin of a page that may read the answer; there is none on other requests.
    allowed_origin: str
    #: Whoever holds a bearer; a passer-by has none, so has no `visit`.
    visit: Visit
    visitor: Principal
