"""What a browser forgets of an account when somebody signs out of it or deletes it."""

from django.http import HttpResponse


def clear_site_data(response: HttpResponse) -> None:
    """Make the browser forget drafts, temporary chats and the pages it keeps for Back."""
    response["Clear-Site-Data"] = '"cache", "storage"'
