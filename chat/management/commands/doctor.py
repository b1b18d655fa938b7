"""Examine the site from the operator's point of view."""

import json
import logging
from argparse import ArgumentParser
from collections import Counter
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from chat.doctor.check_result import CheckResult, DoctorOptions
from chat.doctor.run_checks import CHECKS, run_checks

WIDTH = len("Client addresses")


class Command(BaseCommand):
    help = (
        "Checks settings, database, Redis, static files, disk, mail, the model and streaming"
        " through the site's address. Exits with 1 if there is a problem."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--url",
            default="",
            help="where to connect instead of SITE_URL, before DNS points there",
        )
        parser.add_argument(
            "--process-url",
            default="",
            metavar="URL",
            help="the address of a process without the proxy, or unix:/path; by default http://HOST:PORT",
        )
        parser.add_argument(
            "--send-mail-to", default="", metavar="ADDRESS", help="send a test mail"
        )
        parser.add_argument(
            "--skip", action="append", default=[], choices=CHECKS, help="can be repeated"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def handle(self, *_args: Any, **arguments: Any) -> None:
        logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)  # reported by the checks
        options = DoctorOptions(
            arguments["url"], arguments["process_url"], arguments["send_mail_to"]
        )
        results: list[CheckResult] = []
        for each in run_checks(options, frozenset(arguments["skip"])):
            results.append(each)
            if not arguments["json"]:
                self._print(each)
        counts = Counter(each.status for each in results)
        if arguments["json"]:
            document = {"ok": not counts["problem"], "results": [asdict(each) for each in results]}
            self.stdout.write(json.dumps(document, indent=2))
        summary = (
            f"Problems: {counts['problem']}. Warnings: {counts['warning']}. OK: {counts['ok']}."
        )
        if counts["problem"]:
            raise CommandError(summary)
        if not arguments["json"]:
            self.stdout.write(summary)

    def _print(self, result: CheckResult) -> None:
        style = {
            "ok": self.style.SUCCESS,
            "warning": self.style.WARNING,
            "problem": self.style.ERROR,
        }[result.status]
        self.stdout.write(
            f"{style(result.status.ljust(8))} {result.check.ljust(WIDTH)} {result.message}"
        )
        if result.advice:
            self.stdout.write(f"{' ' * 9}{' ' * WIDTH} → {result.advice}")
        self.stdout.flush()
