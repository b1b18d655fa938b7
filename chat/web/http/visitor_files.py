"""Limit how many images and files visitors send, in the widget and by email."""

from chat.accounts.principals import Principal
from chat.web.http.shared_limits import HOUR_SECONDS, require_rate

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
