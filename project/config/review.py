"""Configure how staff review conversations. Part of settings.py."""

from project.config.env import env_bool, env_choice, env_int, env_secret

#: `pseudonymous`: only administrators see names; `off`: staff cannot read any chats.
REVIEW_PRIVACY = env_choice("REVIEW_PRIVACY", ("normal", "pseudonymous", "off"), "normal")
#: How long a severe case may stay unassigned before more staff are told; 0: for ever.
ESCALATION_MINUTES = env_int("ESCALATION_MINUTES", 15, maximum=1440)
#: Administrators are told when more answers than this fail; 0: never.
FAILED_ANSWERS_ALERT_PERCENT = env_int("FAILED_ANSWERS_ALERT_PERCENT", 20, maximum=99)
#: Of the answers of so many minutes.
FAILED_ANSWERS_ALERT_MINUTES = env_int("FAILED_ANSWERS_ALERT_MINUTES", 15, minimum=1, maximum=1440)
#: How long a reason for access is valid; 0: none is required.
REVIEW_REASON_MINUTES = env_int("REVIEW_REASON_MINUTES", 30, maximum=1440)
#: Whether members see which staff read their chats.
SHOW_ACCESS_HISTORY = env_bool("SHOW_ACCESS_HISTORY", default=True)
#: Days within which a request of a person for their data is due.
DATA_REQUEST_DAYS = env_int("DATA_REQUEST_DAYS", 30, minimum=1, maximum=365)
#: Days before that on which staff are reminded; 0: they are told only once it is overdue.
DATA_REQUEST_REMINDER_DAYS = env_int("DATA_REQUEST_REMINDER_DAYS", 7, maximum=365)
#: Signs the audit log's seals; defaults to SECRET_KEY, which must then not change.
AUDIT_KEY = env_secret("AUDIT_KEY")
#: Whether staff need a second factor to review and to administer.
STAFF_TWO_FACTOR = env_bool("STAFF_TWO_FACTOR", default=False)
