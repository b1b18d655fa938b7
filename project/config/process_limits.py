"""Limit the load of one process; 0 means no limit. Part of settings.py."""

from project.config.env import env_float, env_int

MAX_HEADER_BYTES = env_int("MAX_HEADER_BYTES", 32 * 1024, minimum=1024)
MAX_TOTAL_BODY_BYTES = env_int("MAX_TOTAL_BODY_BYTES", 128 * 1024 * 1024)
BODY_IDLE_SECONDS = env_float("BODY_IDLE_SECONDS", 30, minimum=0.05)
BODY_SECONDS = env_float("BODY_SECONDS", 120, minimum=0.05)
MAX_STREAMS_PER_PERSON = env_int("MAX_STREAMS_PER_PERSON", 30)
MAX_MEMBER_REQUESTS_PER_SECOND = env_float("MAX_MEMBER_REQUESTS_PER_SECOND", 10)
MAX_ADDRESS_REQUESTS_PER_SECOND = env_float("MAX_ADDRESS_REQUESTS_PER_SECOND", 20)
MAX_RUNNING_ANSWERS = env_int("MAX_RUNNING_ANSWERS", 500)
MAX_OPEN_STREAMS = env_int("MAX_OPEN_STREAMS", 2000)
MAX_LAG_SECONDS = env_float("MAX_LAG_SECONDS", 2)
MAX_FLUSH_DELAY_SECONDS = env_float("MAX_FLUSH_DELAY_SECONDS", 10)

#: In addition to allauth's limits: each request leaves a session or sends an email.
ACCOUNT_RATE_LIMITS = {
    "passkey_sign_in": "20/m/ip",
    "single_sign_on": "20/m/ip",
    "reset_password": "10/m/ip,30/h/ip,5/h/key",
}
