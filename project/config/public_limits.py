"""Configure access from outside: shared links, API keys, and chats on websites.

Part of settings.py.
"""

from urllib.parse import urlsplit

from project.config.env import env_bool, env_choice, env_float, env_int, env_secret, env_str, stop

CODE_PREVIEWS = env_bool("CODE_PREVIEWS", default=True)

SHARING = env_bool("SHARING", default=True)
PUBLIC_LINKS = env_bool("PUBLIC_LINKS", default=True)
SHARED_LINKS_LIMIT = env_int("SHARED_LINKS_LIMIT", 100, minimum=1)
SHARED_MESSAGES_LIMIT = env_int("SHARED_MESSAGES_LIMIT", 1000, minimum=2)
SHARED_CHARACTERS_LIMIT = env_int("SHARED_CHARACTERS_LIMIT", 1_000_000, minimum=1000)

API_KEYS = env_choice("API_KEYS", ("members", "staff", "nobody"), "members")
WIDGET_SITES = env_choice("WIDGET_SITES", ("members", "staff", "nobody"), "members")
WIDGET_SITES_LIMIT = env_int("WIDGET_SITES_LIMIT", 20, minimum=1)
BROWSER_RENDERING = env_bool("BROWSER_RENDERING", default=False)
WEBSITE_PAGES_LIMIT = env_int("WEBSITE_PAGES_LIMIT", 1000, minimum=1, maximum=1900)
MAX_VISITOR_BYTES = env_int("MAX_VISITOR_BYTES", 5 * 1024 * 1024)
MAX_SITE_BYTES = env_int("MAX_SITE_BYTES", 1024 * 1024 * 1024)
MAX_VISITOR_FILE_BYTES = env_int("MAX_VISITOR_FILE_BYTES", 2 * 1024 * 1024, minimum=1024)
MAX_VISITOR_BODY_BYTES = env_int("MAX_VISITOR_BODY_BYTES", 256 * 1024, minimum=1024)
VISITOR_ABANDONED_AFTER_SECONDS = env_float("VISITOR_ABANDONED_AFTER_SECONDS", 30)
CHALLENGE_URL = env_str("CHALLENGE_URL")
CHALLENGE_SECRET = env_secret("CHALLENGE_SECRET")
CHALLENGE_SCRIPT = env_str("CHALLENGE_SCRIPT", "")
CHALLENGE_SITE_KEY = env_str("CHALLENGE_SITE_KEY", "")
_challenge = (CHALLENGE_URL, CHALLENGE_SECRET, CHALLENGE_SCRIPT, CHALLENGE_SITE_KEY)
if any(_challenge) and not all(_challenge):
    stop("CHALLENGE_URL", "is used with CHALLENGE_SECRET, _SCRIPT and _SITE_KEY; set all or none")
for _name, _url in (("CHALLENGE_URL", CHALLENGE_URL), ("CHALLENGE_SCRIPT", CHALLENGE_SCRIPT)):
    if _url and urlsplit(_url).scheme not in {"http", "https"}:
        stop(_name, "isn't a web address; write it like https://host/path")
