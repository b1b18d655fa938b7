"""Helpers for the tests of log filtering."""

MAKE_SITE = """
from chat.accounts.models import User
from chat.widget_sites import identity_keys
from chat.widget_sites.models import WidgetSite
site = WidgetSite.objects.create(owner=User.objects.first(), name="Shop")
key, secret = identity_keys.make_secret(site)
print(site.key, key.pk, secret)
"""
