"""Settings of what people without an account get: shared links, and chats on other websites."""

from urllib.parse import urlsplit

from project.env import env_bool, env_choice, env_float, env_int, env_secret, env_str, stop

SHARING = env_bool("SHARING", default=True)
SHARED_LINKS_LIMIT = env_int("SHARED_LINKS_LIMIT", 100, minimum=1)
SHARED_MESSAGES_LIMIT = env_int("SHARED_MESSAGES_LIMIT", 1000, minimum=2)
SHARED_CHARACTERS_LIMIT = env_int("SHARED_CHARACTERS_LIMIT", 1_000_000, minimum=1000)

SITES = env_choice("SITES", ("members", "staff", "nobody"), "members")
SITES_LIMIT = env_int("SITES_LIMIT", 20, minimum=1)
VISITOR_ABANDONED_AFTER_SECONDS = env_float("VISITOR_ABANDONED_AFTER_SECONDS", 30)
CHALLENGE_URL = env_str("CHALLENGE_URL")
CHALLENGE_SECRET = env_secret("CHALLENGE_SECRET")
CHALLENGE_SCRIPT = env_str("CHALLENGE_SCRIPT", "")
CHALLENGE_SITE_KEY = env_str("CHALLENGE_SITE_KEY", "")
if bool(CHALLENGE_URL) != bool(CHALLENGE_SECRET):
    stop("CHALLENGE_URL", "and CHALLENGE_SECRET go together; set both or none")
if CHALLENGE_URL and urlsplit(CHALLENGE_URL).scheme not in {"http", "https"}:
    stop("CHALLENGE_URL", "is not a web address; write it like https://host/siteverify")
