"""Helpers for the browser tests of the widget's visitors."""

import time
from collections.abc import Callable
from uuid import uuid4

import jwt

from tests.browser.server import LiveSite

MAKE_KEY = """
from chat.widget_sites import identity_keys
from chat.widget_sites.models import WidgetSite
key, secret = identity_keys.make_secret(WidgetSite.objects.get(key={key!r}))
print(key.pk, secret)
"""


def signer(site: LiveSite, key: str) -> Callable[[str], str]:
    """Return a function that signs user identities, as the website's server does."""
    key_id, secret = site.run(MAKE_KEY.format(key=key)).split()

    def name(subject: str) -> str:
        now = int(time.time())
        claims = {"sub": subject, "aud": key, "iat": now, "exp": now + 300, "jti": uuid4().hex}
        return jwt.encode(claims, secret, algorithm="HS256", headers={"kid": key_id})

    return name
