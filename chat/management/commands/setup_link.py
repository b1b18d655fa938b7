from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.urls import reverse

from chat.accounts.models import SetupLink
from chat.accounts.setup import is_needed


class Command(BaseCommand):
    help = "Prints a one-time link for creating the first administrator account, if there is none."

    def handle(self, *args: Any, **options: Any) -> None:
        if not is_needed():
            return
        path = reverse("account_setup_link", args=[SetupLink.make()])
        self.stdout.write(
            "Create the first administrator account with this link (valid once, for one day):"
        )
        self.stdout.write(f"  {settings.SITE_URL}{path}")
