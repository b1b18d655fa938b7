"""Find model servers on this machine, at the ports that they use by default."""

import asyncio
from dataclasses import dataclass

from chat.errors import UpstreamError
from chat.site_settings.provider_connection import ProviderConnection
from chat.upstream import factory
from chat.upstream.answer_deadline import Timeouts
from chat.upstream.catalogue.service_models import list_models
from chat.upstream.connection_check import chat_models

#: By their documentation. Others use these ports, too, so a server is not named for sure.
PORTS = {
    11434: "Ollama",
    1234: "LM Studio",
    8080: "llama.cpp",
    8000: "vLLM",
    1337: "Jan",
    5001: "KoboldCpp",
}
#: The second one leads from a container to the machine that it runs on.
HOSTS = ("localhost", "host.docker.internal")
TIMEOUTS = Timeouts(connect=1, first_byte=2, idle=2, content=2, answer=3)
TOTAL_SECONDS = 4.0


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that listed its models; `name` is what usually has its port."""

    name: str
    base_url: str
    models: list[str]


async def find_servers() -> list[LocalServer]:
    """Return the servers that answer within seconds and have a model for chats."""
    addresses = [
        (name, f"http://{host}:{port}/v1") for host in HOSTS for port, name in PORTS.items()
    ]
    found = await asyncio.gather(*(_ask(name, base_url) for name, base_url in addresses))
    return [each for each in found if each and each.models]


async def _ask(name: str, base_url: str) -> LocalServer | None:
    client = factory.open_trial_client(ProviderConnection("openai", base_url), TIMEOUTS)
    try:
        async with asyncio.timeout(TOTAL_SECONDS):
            listed = [each.id for each in await list_models(client)]
    except (UpstreamError, TimeoutError):
        return None
    finally:
        await client.aclose()
    return LocalServer(name, base_url, chat_models(listed))
