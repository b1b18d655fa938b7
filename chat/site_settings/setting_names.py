"""Name the settings that can be saved in the page.

The first ones are also environment variables, under the same name.
"""

SITE_NAME = "SITE_NAME"
SIGN_UP = "SIGN_UP"
SIGN_UP_DOMAINS = "SIGN_UP_DOMAINS"
JUDGE_MODEL = "JUDGE_MODEL"

PROVIDER = "PROVIDER"
ACCENT_COLOR = "ACCENT_COLOR"
LOGO = "LOGO"
STARTERS = "STARTERS"
ANNOUNCEMENT = "ANNOUNCEMENT"
TERMS_URL = "TERMS_URL"
PRIVACY_URL = "PRIVACY_URL"
RETENTION_DAYS = "RETENTION_DAYS"

#: About the checklist of the first steps.
STEPS_DONE = "STEPS_DONE"
CHECKLIST_HIDDEN = "CHECKLIST_HIDDEN"
