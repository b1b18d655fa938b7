"""The settings in effect: the environment's where it sets them, else those saved in the page."""

from typing import Any

from django.conf import settings

from chat.site_settings import setting_names, stored_settings
from chat.site_settings.announcement import Announcement
from chat.site_settings.provider_connection import ProviderConnection
from chat.site_settings.topics import Topic


def is_from_environment(name: str) -> bool:
    """Return whether the environment sets this setting, so that the page can't."""
    return name in settings.SET_IN_ENVIRONMENT


def site_name() -> str:
    return str(_value(setting_names.SITE_NAME))


def sign_up() -> str:
    """Return who can sign up: "open", "approval", "invitation" or "closed".

    Domains that were saved in the page mean nothing while nobody has to confirm an address, so
    administrators then approve each account.
    """
    policy = chosen_sign_up()
    is_unconfirmed = settings.ACCOUNT_EMAIL_VERIFICATION != "mandatory"
    return "approval" if policy == "open" and sign_up_domains() and is_unconfirmed else policy


def chosen_sign_up() -> str:
    """Return the policy that the environment or an administrator chose."""
    return str(_value(setting_names.SIGN_UP))


def sign_up_domains() -> list[str]:
    return list(_value(setting_names.SIGN_UP_DOMAINS))


def judge_model() -> str:
    """Return the id of the model that judges messages; empty for none."""
    return str(_value(setting_names.JUDGE_MODEL))


def topics() -> list[Topic]:
    """Return the topics that a judge tells of questions, in the order of the page."""
    return [Topic.read(line) for line in _stored(setting_names.TOPICS, [])]


def topic_share() -> int:
    """Return the percentage of answers whose topic is told; 0: only of those that rules judge."""
    return int(_stored(setting_names.TOPIC_SHARE, 0))


def connection() -> ProviderConnection | None:
    """Return the connection entered in the page; None if the environment names a provider."""
    return None if is_provider_in_environment() else stored_settings.current().connection


def is_provider_in_environment() -> bool:
    return bool(settings.WORKERS_AI_BASE_URL or settings.CLOUDFLARE_API_TOKEN)


def accent_color() -> str:
    """Return the colour as `#rrggbb`; empty for the usual one."""
    return str(_stored(setting_names.ACCENT_COLOR, ""))


def logo() -> str:
    """Return the digest of the logo; empty for the usual sign."""
    return str(_stored(setting_names.LOGO, ""))


def starters() -> list[str]:
    return list(_stored(setting_names.STARTERS, []))


def announcement() -> Announcement | None:
    """Return the announcement, whether or not it is its time."""
    return Announcement.read(_stored(setting_names.ANNOUNCEMENT, None))


def terms_url() -> str:
    return str(_stored(setting_names.TERMS_URL, ""))


def privacy_url() -> str:
    return str(_stored(setting_names.PRIVACY_URL, ""))


def retention_days() -> int | None:
    """Return after how many days members' unused chats are deleted; None: never."""
    days = _stored(setting_names.RETENTION_DAYS, None)
    return int(days) if days else None


def phone_region() -> str:
    """Return the ISO code of the country whose phone numbers need no country code; or empty."""
    return str(_stored(setting_names.PHONE_REGION, ""))


def masks_personal_data() -> bool:
    """Return whether personal data in all requests to model providers is masked."""
    return bool(_stored(setting_names.MASK_PERSONAL_DATA, False))


def groups_with_masking() -> list[int]:
    """Return the groups for whose members it is masked, even if it isn't for everybody."""
    return list(_stored(setting_names.MASKED_GROUPS, []))


def may_mask_personal_data() -> bool:
    """Return whether it is masked for anybody."""
    return masks_personal_data() or bool(groups_with_masking())


def offers_blind_comparison() -> bool:
    """Return whether members may compare two answers without names, and vote on them."""
    return bool(_stored(setting_names.BLIND_COMPARISON, False))


def suggests_questions() -> bool:
    """Return whether a model suggests what members could ask next, after each answer."""
    return bool(_stored(setting_names.SUGGESTED_QUESTIONS, False))


def is_checklist_hidden() -> bool:
    return bool(_stored(setting_names.CHECKLIST_HIDDEN, False))


def _value(name: str) -> Any:
    fixed = getattr(settings, name)
    return fixed if is_from_environment(name) else _stored(name, fixed)


def _stored(name: str, default: Any) -> Any:
    return stored_settings.current().values.get(name, default)
