"""`manage.py verify_audit`: is the record what was sealed?"""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from chat.review.access_log.audit_chain import extent, seal_days, verify
from chat.review.models import AuditSeal


class Command(BaseCommand):
    help = "Seals the days that are over, and checks every seal of the record."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--expect",
            action="append",
            default=[],
            metavar="DAY:DIGEST",
            help="a seal that was written down elsewhere; may be given several times",
        )

    def handle(self, *_args: Any, expect: list[str], **_options: Any) -> None:
        problems = [f"{each.seal.day}: {each.problem}" for each in verify() if each.problem]
        present = {f"{each.day}:{each.digest}" for each in AuditSeal.objects.all()}
        for wanted in set(expect) - present:
            problems.append(f"{wanted}: there is no such seal")
        if problems:
            raise CommandError("The record was changed.\n" + "\n".join(problems))
        seal_days()
        last, now = AuditSeal.objects.order_by("day").last(), extent()
        self.stdout.write("The record is as it was sealed.")
        self.stdout.write(f"Sealed: {now.days} days with {now.rows} rows.")
        self.stdout.write(f"Not sealed yet: {now.rows_not_sealed} rows.")
        self.stdout.write(f"Seals are also written to {settings.AUDIT_SEALS_PATH}.")
        if last:
            self.stdout.write(f"Write down the last seal elsewhere: {last.day}:{last.digest}")
