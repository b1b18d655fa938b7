"""`manage.py reencrypt_second_factors`: after a change of SECRET_KEY."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from chat.accounts.second_factor.second_factors import reencrypt_all


class Command(BaseCommand):
    help = "Encrypts the secrets of second factors under the present SECRET_KEY."

    def handle(self, *_args: Any, **_options: Any) -> None:
        changed, unreadable = reencrypt_all()
        self.stdout.write(f"Encrypted under the present SECRET_KEY: {changed} second factors.")
        if unreadable:
            raise CommandError(
                f"{unreadable} second factors cannot be read: add the SECRET_KEY under which they"
                " were made to SECRET_KEY_FALLBACKS, or remove them, so that they are set up anew."
            )
        self.stdout.write("Older keys are no longer needed for them in SECRET_KEY_FALLBACKS.")
