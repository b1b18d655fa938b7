"""The logo and the colour are files that browsers keep."""

import pytest
from django.test import AsyncClient

from chat.site_settings.models import SiteLogo
from tests.support.widget.pictures import png

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_colour_is_a_style_sheet_that_never_changes(async_client: AsyncClient) -> None:
    response = await async_client.get("/brand/accent-ffd400.css")
    assert response["Content-Type"] == "text/css; charset=utf-8"
    assert "immutable" in response["Cache-Control"]
    assert b"--accent:light-dark(#806a00,#ffd400)" in response.content
    assert not response.cookies


@pytest.mark.parametrize("digits", ["FFD400", "ffd40", "ffd4000", "gggggg", "ffd400}"])
async def test_only_a_colour_has_a_style_sheet(async_client: AsyncClient, digits: str) -> None:
    assert (await async_client.get(f"/brand/accent-{digits}.css")).status_code == 404


async def test_a_logo_is_served_as_a_picture_and_nothing_else(async_client: AsyncClient) -> None:
    await SiteLogo.objects.acreate(digest="abc", kind="png", content=png())
    response = await async_client.get("/brand/logo/abc")
    assert response.content == png()
    assert response["Content-Type"] == "image/png"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert "immutable" in response["Cache-Control"]
    assert (await async_client.get("/brand/logo/other")).status_code == 404
