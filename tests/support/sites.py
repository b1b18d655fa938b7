"""What tests of websites' pages share."""

from django.test import Client

from chat.widget_sites.models import Site

SMALL = {"name": "Shop", "origins": "https://shop.example"}


def made(client: Client, sent: dict[str, str]) -> Site:
    response = client.post("/sites/new/", sent)
    site = Site.objects.order_by("-pk")[0]
    assert response["Location"] == f"/sites/{site.key}/"
    return site
