"""A browser by the name that its user knows, from what it sends as `User-Agent`.

Two words for a list of one's own devices. The libraries for this know thousands of names; their
patterns hold a process up for most of a second when they are loaded, and take 16 MB.
"""

from django.utils.translation import gettext as _

#: What stands in `User-Agent`, and whose it is. The first that is found counts: most browsers also
#: name those that they descend from.
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
    """Return browser and system as far as they are known, in the language of the request."""
    browser, system = _found(BROWSERS, user_agent), _found(SYSTEMS, user_agent)
    if browser and system:
        return _("{browser} on {system}").format(browser=browser, system=system)
    return browser or system or _("Unknown browser")


def _found(names: Names, user_agent: str) -> str:
    return next((name for marks, name in names if any(m in user_agent for m in marks)), "")
