"""Name a browser from its `User-Agent`, for a member's list of devices.

Two words suffice here. Libraries for this know thousands of names, but loading their patterns
blocks a process for most of a second and takes 16 MB.
"""

from django.utils.translation import gettext as _

#: Marks in `User-Agent` and the product they stand for. The first match counts, because most
#: browsers also name those they descend from.
BROWSERS = (
    (("Edg/", "EdgA/", "EdgiOS/"), "Edge"),
    (("OPR/", "OPX/"), "Opera"),
    (("SamsungBrowser/",), "Samsung Internet"),
    (("Vivaldi/",), "Vivaldi"),
    (("Firefox/", "FxiOS/"), "Firefox"),
    (("HeadlessChrome/", "Chrome/", "CriOS/", "Chromium/"), "Chrome"),
    (("Safari/",), "Safari"),
)
SYSTEMS = (
    (("Windows NT",), "Windows"),
    (("Android",), "Android"),
    (("iPhone", "iPod"), "iPhone"),
    (("iPad",), "iPad"),
    (("CrOS",), "ChromeOS"),
    (("Macintosh", "Mac OS X"), "macOS"),
    (("Linux", "X11"), "Linux"),
)
Names = tuple[tuple[tuple[str, ...], str], ...]


def browser_name(user_agent: str) -> str:
    """Return the names of browser and system, as far as known, in the request's language."""
    browser, system = _first_in(BROWSERS, user_agent), _first_in(SYSTEMS, user_agent)
    if browser and system:
        return _("{browser} on {system}").format(browser=browser, system=system)
    return browser or system or _("Unknown browser")


def _first_in(names: Names, user_agent: str) -> str:
    return next((name for marks, name in names if any(m in user_agent for m in marks)), "")
