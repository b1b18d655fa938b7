"""Helpers for the tests of an answer's first words."""

ORIGIN = {"Origin": "https://www.shop.example"}


MAKE_SITE = """
from chat.accounts.models import User
from chat.widget_sites.models import WidgetSite
owner = User.objects.create_user("keeper@example.org", "x")
origins = ["https://www.shop.example"]
print(WidgetSite.objects.create(owner=owner, name="Shop", origins=origins).key)
"""
