"""Re-encrypt stored secrets after a change of SECRET_KEY."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from chat.accounts.second_factor.second_factors import reencrypt_all
from chat.database.encrypted_text import Unreadable
from chat.site_settings import stored_settings
from chat.tools.mcp import stored_tools


class Command(BaseCommand):
    help = "Re-encrypts second factors and tokens of servers with the current SECRET_KEY."

    def handle(self, *_args: Any, **_options: Any) -> None:
        changed, unreadable = reencrypt_all()
        self.stdout.write(f"Re-encrypted {changed} second factors with the current SECRET_KEY.")
        if unreadable:
            raise CommandError(
                f"{unreadable} second factors can't be decrypted. Add the SECRET_KEY that encrypted"
                " them to SECRET_KEY_FALLBACKS, or remove them so that users set them up again."
            )
        try:
            if stored_settings.reencrypt():
                self.stdout.write("Re-encrypted the model provider's token.")
        except Unreadable:
            raise CommandError(
                "The model provider's token can't be decrypted. Add the SECRET_KEY that encrypted"
                " it to SECRET_KEY_FALLBACKS, or enter it again under Site settings."
            ) from None
        try:
            if count := stored_tools.reencrypt():
                self.stdout.write(f"Re-encrypted headers and sign-ins of MCP servers: {count}.")
        except Unreadable:
            raise CommandError(
                "An MCP server's headers or sign-in can't be decrypted. Add the SECRET_KEY that"
                " encrypted them to SECRET_KEY_FALLBACKS, or enter them again under Site settings."
            ) from None
        self.stdout.write("Nothing needs the older keys in SECRET_KEY_FALLBACKS but sessions.")
