"""Serve the site in production: docs/serve.md."""

import os
import sys
from typing import Any

from django.conf import settings
from django.core.management import CommandError, call_command
from django.core.management.base import BaseCommand
from django.db import connections

from chat.accounts.setup import is_needed
from project.serving.listen_address import listen_addresses
from project.serving.preparation import prepare
from project.serving.serving_checks import site_host


class Command(BaseCommand):
    help = "Prepares the site and serves it with one uvicorn process for each of WORKERS."

    def handle(self, *_args: Any, **_options: Any) -> None:
        addresses = listen_addresses(
            settings.WORKERS, settings.HOST, settings.PORT, settings.SOCKET_DIR
        )
        if problems := [problem for each in addresses if (problem := each.problem())]:
            raise CommandError("Can't start: " + "\nCan't start: ".join(problems))
        prepare(self._tell)
        self._show_setup_link()
        for address in addresses:
            self._tell(f"Serving at {address}")
        connections.close_all()
        self._become_supervisor([str(each) for each in addresses])

    def _show_setup_link(self) -> None:
        """Show the link in a terminal only: a service's output is kept in a log."""
        if sys.stdout.isatty():
            call_command("setup_link")
        elif is_needed():
            self._tell("There is no administrator yet; manage.py setup_link prints a link for one.")

    def _become_supervisor(self, addresses: list[str]) -> None:
        """Replace this process, so that nothing of the site stays in memory."""
        before = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(settings.BASE_DIR), before]))
        command = [sys.executable, "-m", "project.serving"]
        for address in addresses:
            command += ["--listen", address]
        command += ["--site-host", site_host()]
        command += ["--drain-seconds", str(settings.DRAIN_SECONDS)]
        command += ["--log-format", settings.LOGGING["handlers"]["console"]["formatter"]]
        command += ["--", sys.executable, str(settings.BASE_DIR / "manage.py"), "prepare"]
        sys.stdout.flush()
        sys.stderr.flush()
        os.execv(command[0], command)  # noqa: S606

    def _tell(self, line: str) -> None:
        self.stderr.write(line, self.style.NOTICE)
        self.stderr.flush()
