from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from chat.review.model_catalogue import actions as catalogue_actions
from chat.site_settings import stored_settings
from chat.upstream.catalogue.differences import ChangeKind, ModelChange
from chat.upstream.catalogue.service_changes import ProviderChanges, find_changes

SIGNS = {ChangeKind.NEW: "+", ChangeKind.GONE: "-", ChangeKind.BACK: "+", ChangeKind.CHANGED: "*"}


class Command(BaseCommand):
    help = "Shows which models are new, gone or different at the providers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--apply",
            action="store_true",
            help="apply the changes; new models stay off until an administrator offers them",
        )
        parser.add_argument(
            "--all-new",
            action="store_true",
            help="with --apply, also add all new models of OpenAI-compatible providers",
        )
        parser.add_argument(
            "--check", action="store_true", help="exit with status 1 if there are changes"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        stored_settings.refresh()  # the provider may have been connected in the page
        providers = find_changes()
        for each in providers:
            for line in _lines(each):
                self.stdout.write(line)
        changes = [
            change
            for each in providers
            for change in each.changes
            if change.is_suggested or options["all_new"]
        ]
        if options["apply"] and changes:
            try:
                catalogue_actions.take_over(None, changes)
            except ValidationError as error:
                raise CommandError(" ".join(error.messages)) from None
            self.stdout.write("Applied. Running processes notice within seconds.")
        if any(each.error for each in providers):
            raise CommandError("Not all lists could be read.")
        if options["check"] and changes:
            raise CommandError(f"{len(changes)} changes.", returncode=1)


def _lines(changes: ProviderChanges) -> Iterator[str]:
    name = changes.provider or "the provider in the settings"
    if changes.error:
        yield f"{name}: its list can't be read: {changes.error.public} ({changes.error.code})"
        return
    yield f"{name}: {changes.listed} models, {len(changes.changes) or 'no'} changes"
    for change in changes.changes:
        yield f"  {SIGNS[change.kind]} {change.model}: {_kind(change)}"
        for each in change.fields:
            before = "" if each.before is None else f"{each.before} → "
            yield f"      {each.field}: {before}{'none' if each.after is None else each.after}"
    if changes.left_out:
        yield f"  left out, as they can't chat: {', '.join(changes.left_out)}"


def _kind(change: ModelChange) -> str:
    return "dearer" if change.is_dearer else str(change.kind)
