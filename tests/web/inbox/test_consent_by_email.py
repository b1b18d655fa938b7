"""A reply by email to a person isn't lost because the website asks for consent meanwhile."""

import pytest

from chat.widget_sites.models import WidgetSite
from tests.support.widget.mail_replies import post, received, reply
from tests.support.widget.visitor_client import Visiting

pytestmark = pytest.mark.usefixtures("no_network_jobs", "inbound")


async def test_who_cannot_agree_by_email_still_reaches_the_team(
    answered: str, vera: Visiting
) -> None:
    await WidgetSite.objects.aupdate(consent="We store what you write. Do you agree?")
    assert (await vera.send("In the widget", answered)).status_code == 403
    await post(reply("By email"))
    assert await received() == ["By email"]
