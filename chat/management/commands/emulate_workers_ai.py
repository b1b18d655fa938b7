import logging
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from daphne.endpoints import build_endpoint_description_strings
from daphne.server import Server
from django.core.management.base import BaseCommand, CommandError

from chat.emulator import Emulator, application
from chat.emulator.asgi import Application, Receive, Scope, Send
from chat.emulator.common.faults import StreamReset
from chat.emulator.wire import BASE_PATH
from chat.lib.catalogue import read_catalogue

DEFAULT_PORT = 8787
ABORT = "runnel.abort_connection"


class Command(BaseCommand):
    help = "Serves the built-in Workers AI emulator over HTTP."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=DEFAULT_PORT, help="0 for any free port")
        parser.add_argument(
            "--tokens-per-second", type=float, default=50.0, metavar="X", help="0 for no limit"
        )
        parser.add_argument(
            "--api-token", metavar="TOKEN", help="reject clients without this token"
        )
        parser.add_argument(
            "--neurons-per-day", type=float, metavar="X", help="reject requests over this quota"
        )

        parser.add_argument(
            "--models", type=Path, metavar="FILE", help="have these models instead of Cloudflare's"
        )

        parser.add_argument(
            "--free-plan", action="store_true", help="refuse what the free plan doesn't include"
        )
        parser.add_argument(
            "--gateway-token", metavar="TOKEN", help="let AI Gateway reject clients without it"
        )
        parser.add_argument(
            "--route",
            action="append",
            default=[],
            type=_route,
            metavar="NAME=MODEL,MODEL",
            help="have this dynamic route in AI Gateway",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["verbosity"] < 2:
            logging.getLogger("daphne").setLevel(logging.ERROR)
        try:
            catalogue = read_catalogue(options["models"])
        except (OSError, ValueError) as error:
            raise CommandError(f"--models can't be used: {error}") from None
        emulator = Emulator(
            catalogue=catalogue,
            tokens_per_second=options["tokens_per_second"],
            api_token=options["api_token"],
            neurons_per_day=options["neurons_per_day"],
            free_plan=options["free_plan"],
            gateway_token=options["gateway_token"],
            routes=dict(options["route"]),
        )
        server = EmulatorServer(
            application(emulator),
            endpoints=build_endpoint_description_strings(
                host=options["host"], port=options["port"]
            ),
            server_name="emulator",
        )
        server.ready_callable = lambda: self._announce(server)
        server.run()
        if not server.listening_addresses:
            raise CommandError(f"Can't listen on {options['host']}:{options['port']}.")

    def _announce(self, server: "EmulatorServer") -> None:
        host, port = server.listening_addresses[0]
        base_url = f"http://{f'[{host}]' if ':' in host else host}:{port}{BASE_PATH}"
        self.stdout.write(f"The Workers AI emulator is at {base_url}  (press Ctrl+C to stop it)")
        self.stdout.write(f"  Runnel:   WORKERS_AI_BASE_URL={base_url}")
        self.stdout.write(f"  OpenAI:   OPENAI_BASE_URL={base_url}/accounts/any/ai/v1")
        self.stdout.write(f"  Cloudflare SDKs:   CLOUDFLARE_BASE_URL={base_url}")
        self.stdout.write("Any account ID works, and any token unless --api-token is set.")
        self.stdout.flush()


def _route(text: str) -> tuple[str, tuple[str, ...]]:
    name, _, models = text.partition("=")
    if not name or not models:
        raise ArgumentTypeError("write it like NAME=MODEL,MODEL")
    return name, tuple(models.split(","))


class EmulatorServer(Server):
    """Daphne, with connections that can be reset: by itself it leaves failed responses open."""

    def __init__(self, application: Application, **options: Any) -> None:
        super().__init__(_resetting(application), **options)

    def create_application(self, protocol: Any, scope: Scope) -> Any:
        scope[ABORT] = lambda: protocol.channel.transport.abortConnection()
        return super().create_application(protocol, scope)


def _resetting(application: Application) -> Application:
    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await application(scope, receive, send)
        except StreamReset:
            scope[ABORT]()

    return serve
