import pytest

from chat.accounts.models import User
from chat.widget_sites.models import WidgetSite
from tests.support.widget.visitor_client import Visiting, make_site, visit


@pytest.fixture
def shop(alice: User, stop_server_process: None) -> WidgetSite:
    """Return Alice's website."""
    return make_site(alice)


@pytest.fixture
async def vera(shop: WidgetSite) -> Visiting:
    """Return a visitor of the website."""
    return await visit(shop)
