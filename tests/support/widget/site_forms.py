"""Helpers for the tests of the widget site pages."""

from django.test import Client

from chat.widget_sites.models import WidgetSite

SMALL = {"name": "Shop", "origins": "https://shop.example"}


def made(client: Client, sent: dict[str, str]) -> WidgetSite:
    response = client.post("/sites/new/", sent)
    site = WidgetSite.objects.order_by("-pk")[0]
    assert response["Location"] == f"/sites/{site.key}/"
    return site
