"""A client that closes its socket stops the model."""

import time
from collections.abc import Iterator

import httpx
import pytest

from tests.support.api.api_client import MODEL
from tests.support.api.api_site import MAKE_KEY, ApiSite
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.server import running

pytestmark = [pytest.mark.interop, pytest.mark.long, pytest.mark.xdist_group("foreign clients")]

#: The whole answer would take minutes.
LONG = {"model": MODEL, "messages": [{"role": "user", "content": "/long 2000"}]}
SETTLED = (
    "from chat.quotas.models import Charge; print(Charge.objects.filter(settled_at=None).count())"
)


@pytest.fixture
def slow_site() -> Iterator[ApiSite]:
    with running(EMULATOR_TOKENS_PER_SECOND="10") as site:
        yield ApiSite(site, site.run(MAKE_KEY))


@pytest.mark.parametrize("stream", [True, False])
def test_the_answer_is_stopped_and_settled(slow_site: ApiSite, stream: bool) -> None:
    headers = {"Authorization": f"Bearer {slow_site.key}"}
    url = f"{slow_site.base_url}/chat/completions"
    with httpx.Client(trust_env=False, timeout=httpx.Timeout(60, read=3)) as client:
        if stream:
            body = {**LONG, "stream": True}
            with client.stream("POST", url, json=body, headers=headers) as response:
                next(response.iter_bytes())
        else:
            with pytest.raises(httpx.ReadTimeout):
                client.post(url, json=LONG, headers=headers)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while slow_site.server.run(SETTLED) != "0":
        assert time.monotonic() < deadline, "the model goes on"
        time.sleep(0.1)
