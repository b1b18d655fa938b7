"""Re-encrypt second-factor secrets after a change of SECRET_KEY."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from chat.accounts.second_factor.second_factors import reencrypt_all


class Command(BaseCommand):
    help = "Re-encrypts second-factor secrets with the current SECRET_KEY."

    def handle(self, *_args: Any, **_options: Any) -> None:
        changed, unreadable = reencrypt_all()
        self.stdout.write(f"Re-encrypted {changed} second factors with the current SECRET_KEY.")
        if unreadable:
            raise CommandError(
                f"{unreadable} second factors can't be decrypted. Add the SECRET_KEY that encrypted"
                " them to SECRET_KEY_FALLBACKS, or remove them so that users set them up again."
            )
        self.stdout.write("Second factors no longer need the older keys in SECRET_KEY_FALLBACKS.")
