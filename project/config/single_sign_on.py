"""Configure single sign-on with OpenID Connect, and who may sign up. Part of settings.py."""

from urllib.parse import urlsplit

from project.config.env import (
    env_bool,
    env_choice,
    env_int,
    env_list,
    env_secret,
    env_str,
    stop,
)
from project.config.site_address import SITE_URL

LOCAL_HOSTS = {"localhost", "127.0.0.1", "::1"}
#: Issuers at which anybody can have an account.
PUBLIC_ISSUERS = {"https://accounts.google.com"}
#: Roles that SSO_ROLES can give, each with the flags of an account that it sets.
ROLES = {"staff": ("is_staff",), "superuser": ("is_staff", "is_superuser")}
MAX_ISSUER_LENGTH = 200  # that of the column which stores it


def env_mapping(name: str) -> dict[str, list[str]]:
    """Return the targets of each claim value in `value=target; value=target`.

    A value may contain `=`, as names in an LDAP directory do.
    """
    mapping: dict[str, list[str]] = {}
    for pair in filter(None, (each.strip() for each in env_str(name).split(";"))):
        value, _, target = (part.strip() for part in pair.rpartition("="))
        if not value or not target:
            stop(name, f"has {pair!r}; write pairs like staff=Staff; leads=Lead reviewers")
        mapping.setdefault(value, []).append(target)
    return mapping


def _domains(name: str) -> list[str]:
    domains = [each.lower().removeprefix("@") for each in env_list(name)]
    if wrong := [each for each in domains if "@" in each or "*" in each or " " in each]:
        stop(name, f"has {wrong[0]!r}; write domains like example.org, separated by commas")
    return domains


SSO_ISSUER = env_str("SSO_ISSUER")
SSO_CLIENT_ID = env_str("SSO_CLIENT_ID")
SSO_CLIENT_SECRET = env_secret("SSO_CLIENT_SECRET")
_issuer = urlsplit(SSO_ISSUER)
SSO_NAME = env_str("SSO_NAME") or _issuer.hostname or ""
SSO_SCOPES = env_str("SSO_SCOPES", "openid profile email").split()
SSO_DOMAINS = _domains("SSO_DOMAINS")
SSO_VERIFIED_CLAIM = env_str("SSO_VERIFIED_CLAIM", "email_verified")
SSO_CREATE_ACCOUNTS = env_bool("SSO_CREATE_ACCOUNTS", default=True)
SSO_LINK_ACCOUNTS = env_bool("SSO_LINK_ACCOUNTS", default=False)
SSO_GROUPS_CLAIM = env_str("SSO_GROUPS_CLAIM", "groups")
SSO_GROUPS = env_mapping("SSO_GROUPS")
SSO_ROLES = env_mapping("SSO_ROLES")
SSO_SESSION_HOURS = env_int("SSO_SESSION_HOURS", 0, maximum=8760)
PASSWORD_SIGN_IN = env_bool("PASSWORD_SIGN_IN", default=True)

SIGN_UP = env_choice("SIGN_UP", ("open", "approval", "invitation", "closed"), "open")
SIGN_UP_DOMAINS = _domains("SIGN_UP_DOMAINS")

if SSO_ISSUER:
    if not (_issuer.hostname and len(SSO_ISSUER) <= MAX_ISSUER_LENGTH) or not (
        _issuer.scheme == "https" or (_issuer.scheme == "http" and _issuer.hostname in LOCAL_HOSTS)
    ):
        stop(
            "SSO_ISSUER", f"is {SSO_ISSUER!r}; write it like https://login.example.org/realms/main"
        )
    if not SSO_CLIENT_ID or not SSO_CLIENT_SECRET:
        stop("SSO_ISSUER", "needs SSO_CLIENT_ID and SSO_CLIENT_SECRET, too")
    if not (SITE_URL.startswith("https://") or urlsplit(SITE_URL).hostname in LOCAL_HOSTS):
        stop("SSO_ISSUER", "needs a SITE_URL with https://, because sign-ins return to it")
    if "openid" not in SSO_SCOPES:
        stop("SSO_SCOPES", "must contain openid")
    if SSO_ISSUER in PUBLIC_ISSUERS and not SSO_DOMAINS:
        stop("SSO_DOMAINS", f"is empty, but anybody can have an account at {SSO_ISSUER}")
elif not PASSWORD_SIGN_IN:
    stop("PASSWORD_SIGN_IN", "is no, but without SSO_ISSUER there is no other way to sign in")
for _roles in SSO_ROLES.values():
    if _wrong := set(_roles) - ROLES.keys():
        stop("SSO_ROLES", f"has the role {min(_wrong)!r}; choose one of: {', '.join(ROLES)}")
