"""Limit how many images and files visitors send, in the widget and by email."""

from contextlib import suppress

from chat.accounts.principals import Principal
from chat.errors import RateLimitExceeded
from chat.web.http.shared_limits import HOUR_SECONDS, require_rate, uses_left

DAY_SECONDS = 24 * HOUR_SECONDS
FILES_PER_DAY = 20
NETWORK_FILES_PER_DAY = 60
SITE_FILES_PER_DAY = 500


def count_file(principal: Principal, address: str = "") -> None:
    """Count a file. Raise `RateLimitExceeded`. An email has no IP address of the visitor."""
    require_rate("visitor_files", principal.key, FILES_PER_DAY, DAY_SECONDS)
    if address:
        require_rate("visitor_files_from", address, NETWORK_FILES_PER_DAY, DAY_SECONDS)
    require_rate("visitor_files_of", principal.site, SITE_FILES_PER_DAY, DAY_SECONDS)


class EmailFiles:
    """Counts the files of visitors' emails (`chat.inbox.mail_files.FileLimit`)."""

    def left(self, principal: Principal) -> int:
        return min(
            uses_left("visitor_files", principal.key, FILES_PER_DAY, DAY_SECONDS),
            uses_left("visitor_files_of", principal.site, SITE_FILES_PER_DAY, DAY_SECONDS),
        )

    def count(self, principal: Principal, files: int) -> None:
        for _file in range(files):
            with suppress(RateLimitExceeded):  # of an email at the same time
                count_file(principal)
