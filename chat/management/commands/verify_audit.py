"""Verify the audit log against its seals."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from chat.review.access_log.audit_chain import coverage, seal_days, verify
from chat.review.models import AuditSeal


class Command(BaseCommand):
    help = "Seals past days and verifies every seal of the audit log."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--expect",
            action="append",
            default=[],
            metavar="DAY:DIGEST",
            help="a seal you recorded elsewhere; can be repeated",
        )

    def handle(self, *_args: Any, expect: list[str], **_options: Any) -> None:
        problems = [f"{each.seal.day}: {each.problem}" for each in verify() if each.problem]
        present = {f"{each.day}:{each.digest}" for each in AuditSeal.objects.all()}
        for wanted in set(expect) - present:
            problems.append(f"{wanted}: seal not found")
        if problems:
            raise CommandError("The audit log has been changed.\n" + "\n".join(problems))
        seal_days()
        last, now = AuditSeal.objects.order_by("day").last(), coverage()
        self.stdout.write("The audit log matches its seals.")
        self.stdout.write(f"Sealed: {now.days} days with {now.rows} entries.")
        self.stdout.write(f"Not sealed yet: {now.rows_not_sealed} entries.")
        self.stdout.write(f"Seals are also saved to {settings.AUDIT_SEALS_PATH}.")
        if last:
            self.stdout.write(f"Record the latest seal elsewhere: {last.day}:{last.digest}")
