"""How the staff looks after what is said. Part of settings.py."""

from project.config.env import env_bool, env_choice, env_int, env_secret

#: `pseudonymous`: only administrators see who somebody is; `off`: nobody reads what others said.
REVIEW_PRIVACY = env_choice("REVIEW_PRIVACY", ("normal", "pseudonymous", "off"), "normal")
#: For so long the reason that somebody gave holds; 0: none is asked for.
REVIEW_REASON_MINUTES = env_int("REVIEW_REASON_MINUTES", 30, maximum=1440)
#: Whether members see who of the staff read their chats.
SHOW_ACCESS_HISTORY = env_bool("SHOW_ACCESS_HISTORY", default=True)
#: Seals the record of looks; without one SECRET_KEY does, and must then not change.
AUDIT_KEY = env_secret("AUDIT_KEY")
#: Whether staff need a second factor to review and to administer.
STAFF_TWO_FACTOR = env_bool("STAFF_TWO_FACTOR", default=False)
