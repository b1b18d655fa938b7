"""Visit a site's chat in tests as its frame does: start a session, then send bearer tokens."""

import re
import uuid
from typing import Any

from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.widget_sites.models import WidgetSite
from tests.support.generations.stream_reader import SAME_ORIGIN

HOST = "https://www.shop.example"


def make_site(owner: User, **fields: Any) -> WidgetSite:
    return WidgetSite.objects.create(
        owner=owner, **{"name": "Shop", "origins": [HOST, "https://*.shop.example"], **fields}
    )


class Visiting:
    """One browser on one website, with its cookie and bearer token, as in the frame."""

    def __init__(
        self, site: WidgetSite, cookie: str = "", client: AsyncClient | None = None
    ) -> None:
        self.client = client or AsyncClient()
        self.site = site
        self.address = ""  # the client's address, as set by a trusted proxy
        self.bearer = ""
        self.cookie = cookie

    @property
    def cookie(self) -> str:
        found = self.client.cookies.get(self._cookie_name)
        return found.value if found else ""

    @cookie.setter
    def cookie(self, value: str) -> None:
        self.client.cookies.pop(self._cookie_name, None)
        if value:
            self.client.cookies[self._cookie_name] = value

    async def begin(self, **headers: str) -> Any:
        """Send `POST session` and keep its tokens."""
        url = f"/w/{self.site.key}/session"
        response = await self.client.post(url, headers=SAME_ORIGIN | self._from | headers)
        self.take(response)
        return response

    def take(self, response: Any) -> None:
        if response.status_code == 200 and "token" in response.json():
            self.bearer = response.json()["token"]
        if found := re.match(r"[^=]+=([^;]*);", response.headers.get("Set-Cookie", "")):
            self.cookie = found[1]

    async def get(self, path: str, **headers: str) -> Any:
        return await self.client.get(self._url(path), headers=self._headers(headers))

    async def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return await self.client.post(
            self._url(path),
            data=body,
            content_type="application/json",
            headers=self._headers(headers),
        )

    async def post_file(self, path: str, content: bytes) -> Any:
        return await self.client.post(
            self._url(path),
            data=content,
            content_type="application/octet-stream",
            headers=self._headers({}),
        )

    async def send(self, text: str = "Hello", conversation: str = "", **body: Any) -> Any:
        path = f"{conversation}/messages" if conversation else "messages"
        return await self.post(path, {"key": uuid.uuid4().hex, "text": text, **body})

    def _url(self, path: str) -> str:
        return f"/w/{self.site.key}/{path}"

    def _headers(self, more: dict[str, str]) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.bearer}"} | self._from | more

    @property
    def _from(self) -> dict[str, str]:
        return {"X-Forwarded-For": self.address} if self.address else {}

    @property
    def _cookie_name(self) -> str:
        return f"visitor-{self.site.key}"


async def visit(site: WidgetSite) -> Visiting:
    """Return a new visitor of `site`."""
    visiting = Visiting(site)
    assert (await visiting.begin()).status_code == 200
    return visiting


site_of = sync_to_async(make_site)
