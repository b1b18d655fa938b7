"""`manage.py verify_audit`: is the record what was sealed?"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from chat.review.deeds import Deed
from chat.review.models import Read, Seal
from chat.review.sealing import seal_days, verify


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
        present = {f"{each.day}:{each.digest}" for each in Seal.objects.all()}
        for wanted in set(expect) - present:
            problems.append(f"{wanted}: there is no such seal")
        if problems:
            raise CommandError("The record was changed.\n" + "\n".join(problems))
        seal_days()
        last = Seal.objects.order_by("day").last()
        rows = Read.objects.count() + Deed.objects.count()
        self.stdout.write(f"The record is as it was sealed; {rows} rows.")
        if last:
            self.stdout.write(f"Write down the last seal elsewhere: {last.day}:{last.digest}")
