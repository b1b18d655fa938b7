"""Serve the site in production: docs/serve.md."""

import os
import subprocess
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import CommandError, call_command
from django.core.management.base import BaseCommand
from django.db import connections

from chat.accounts.setup import is_needed
from project.serving.checks import site_host
from project.serving.listen_address import ListenAddress, listen_addresses
from project.serving.preparation import prepare

MANAGE = [sys.executable, str(settings.BASE_DIR / "manage.py")]


class Command(BaseCommand):
    help = "Prepares the site and serves it with one uvicorn process for each of WORKERS."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--trial",
            action="store_true",
            help="serve with one worker on HOST and PORT, whatever the other settings, as"
            " `make run` does for trying things out",
        )
        parser.add_argument(
            "--demo-port", type=int, default=0, help="with --trial: the port of a demo website"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        is_trial = options["trial"]
        addresses = listen_addresses(
            1 if is_trial else settings.WORKERS,
            settings.HOST,
            settings.PORT,
            "" if is_trial else settings.SOCKET_DIR,
        )
        if problems := [problem for each in addresses if (problem := each.problem())]:
            raise CommandError("Can't start: " + "\nCan't start: ".join(problems))
        prepare(self._tell, is_trial=is_trial)
        if is_trial:
            self._show_trial(addresses[0], options["demo_port"])
        else:
            self._show_setup_link()
            for address in addresses:
                self._tell(f"Serving at {address}")
        connections.close_all()
        self._become_supervisor([str(each) for each in addresses], is_trial=is_trial)

    def _show_trial(self, address: ListenAddress, demo_port: int) -> None:
        """Show where the site is, and start the demo website, which ends with this process."""
        call_command("setup_link")
        self.stdout.write(f"Runnel is running at http://{address}/  (press Ctrl+C to stop it)")
        self.stdout.flush()
        if demo_port:
            command = [*MANAGE, "demo_website", str(demo_port)]
            subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)  # noqa: S603

    def _show_setup_link(self) -> None:
        """Show the link in a terminal only: a service's output is kept in a log."""
        if sys.stdout.isatty():
            call_command("setup_link")
        elif is_needed():
            self._tell("There is no administrator yet; manage.py setup_link prints a link for one.")

    def _become_supervisor(self, addresses: list[str], *, is_trial: bool) -> None:
        """Replace this process, so that nothing of the site stays in memory."""
        before = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(settings.BASE_DIR), before]))
        command = [sys.executable, "-m", "project.serving"]
        for address in addresses:
            command += ["--listen", address]
        command += ["--site-host", site_host()]
        command += ["--drain-seconds", str(settings.DRAIN_SECONDS)]
        command += ["--worker-timeout-seconds", str(settings.WORKER_TIMEOUT_SECONDS)]
        command += ["--log-format", settings.LOGGING["handlers"]["console"]["formatter"]]
        command += ["--quiet"] if is_trial else []
        command += ["--", *MANAGE, "prepare", *(["--trial"] if is_trial else [])]
        sys.stdout.flush()
        sys.stderr.flush()
        os.execv(command[0], command)  # noqa: S606

    def _tell(self, line: str) -> None:
        self.stderr.write(line, self.style.NOTICE)
        self.stderr.flush()
