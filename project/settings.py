"""Define every setting of Runnel, read from the environment; docs/settings.md explains them."""

from pathlib import Path

from project import private_files
from project.config import caches, databases, initial_limits, paths, secret_key, templates
from project.config import logs as log_config
from project.config.env import (
    PROJECT_DIR,
    SET,
    env_bool,
    env_choice,
    env_float,
    env_int,
    env_list,
    env_secret,
    env_str,
    stop,
)
from project.npm import js_modules
from project.site_languages import with_native_names

# Parts of the settings.
# fmt: off
# isort: off
from project.config.mail import (
    DEFAULT_FROM_EMAIL, EMAIL_BACKEND, EMAIL_HOST, EMAIL_HOST_PASSWORD, EMAIL_HOST_USER, EMAIL_PORT,
    EMAIL_TIMEOUT, EMAIL_USE_SSL, EMAIL_USE_TLS, INBOUND_MAIL_ADDRESS, INBOUND_MAIL_SECRET,
    IS_MAILED, SERVER_EMAIL,
)
from project.config.audit_log import AUDIT_LOG_TO
from project.config.mfa import (
    MFA_ADAPTER, MFA_FORMS, MFA_PASSKEY_LOGIN_ENABLED, MFA_SUPPORTED_TYPES,
)
from project.config.process_limits import (
    ACCOUNT_RATE_LIMITS, BODY_IDLE_SECONDS, BODY_SECONDS, MAX_ADDRESS_REQUESTS_PER_SECOND,
    MAX_TOTAL_BODY_BYTES, MAX_HEADER_BYTES, MAX_LAG_SECONDS, MAX_MEMBER_REQUESTS_PER_SECOND,
    MAX_OPEN_STREAMS, MAX_RUNNING_ANSWERS, MAX_STREAMS_PER_PERSON, MAX_FLUSH_DELAY_SECONDS,
)
from project.config.paths import AUDIT_SEALS_PATH, DATA_DIR, EMAIL_FILE_PATH, STATIC_ROOT
from project.config.public_limits import (
    API_KEYS, BROWSER_RENDERING, CHALLENGE_SCRIPT, CHALLENGE_SECRET, CHALLENGE_SITE_KEY,
    CHALLENGE_URL, CODE_PREVIEWS, MAX_SITE_BYTES, MAX_VISITOR_BODY_BYTES, MAX_VISITOR_BYTES,
    MAX_VISITOR_FILE_BYTES, PUBLIC_LINKS, SHARED_CHARACTERS_LIMIT, SHARED_LINKS_LIMIT,
    SHARED_MESSAGES_LIMIT, SHARING, VISITOR_ABANDONED_AFTER_SECONDS, WEBSITE_PAGES_LIMIT,
    WIDGET_SITES, WIDGET_SITES_LIMIT,
)
from project.config.review import (
    AUDIT_KEY, DATA_REQUEST_DAYS, DATA_REQUEST_REMINDER_DAYS, ESCALATION_MINUTES,
    FAILED_ANSWERS_ALERT_MINUTES, FAILED_ANSWERS_ALERT_PERCENT, REVIEW_PRIVACY,
    REVIEW_REASON_MINUTES, SHOW_ACCESS_HISTORY, STAFF_TWO_FACTOR,
)
from project.config.security_headers import PERMISSIONS_POLICY, SECURITY_CONTACTS
from project.config.single_sign_on import (
    PASSWORD_SIGN_IN, SIGN_UP, SIGN_UP_DOMAINS, SSO_CLIENT_ID, SSO_CLIENT_SECRET,
    SSO_CREATE_ACCOUNTS, SSO_DOMAINS, SSO_GROUPS, SSO_GROUPS_CLAIM, SSO_ISSUER, SSO_LINK_ACCOUNTS,
    SSO_NAME, SSO_ROLES, SSO_SCOPES, SSO_SESSION_HOURS, SSO_VERIFIED_CLAIM,
)
from project.config.site_address import (
    HOST, PASSKEYS, PORT, SITE_HOST, SITE_NAME, SITE_URL, SOCKET_DIR, WORKERS, site,
)
from project.config.size_limits import (
    KEEP_DOCUMENT_FILES, KEEP_QUESTION_FILES, KNOWLEDGE_MEMORY_BYTES, MAX_ANSWER_CHARS,
    MAX_AUDIO_BYTES, MAX_BODY_BYTES, MAX_CONVERSATION_MESSAGES, MAX_DOCUMENT_BYTES,
    MAX_IMAGE_BYTES, MAX_IMPORT_BYTES, MAX_IMPORT_MESSAGES, MAX_INBOUND_MAIL_BYTES,
    MAX_MEMBER_BYTES, MAX_MESSAGE_CHARS, MAX_MESSAGE_IMAGES, MIN_FREE_BYTES,
)
from project.config.tools import (
    TOOL_PROGRAMS, TOOLS, TOOLS_ALWAYS_ALLOWED, WEB_SEARCH, WEB_SEARCH_KEY, WEB_SEARCH_URL,
)
from project.config.upstream import (
    AI_GATEWAY_ATTEMPTS, AI_GATEWAY_CACHE_SECONDS, AI_GATEWAY_ID, AI_GATEWAY_METADATA,
    AI_GATEWAY_RETRY_MILLISECONDS, AI_GATEWAY_SKIP_CACHE, AI_GATEWAY_TIMEOUT_MILLISECONDS,
    AI_GATEWAY_TOKEN, ASSUMED_USD_PER_MILLION_TOKENS, CLOUDFLARE_ACCOUNT_ID, CLOUDFLARE_API_TOKEN,
    COMPACTION_MODEL, DEFAULT_MODEL, DICTATION_MODEL, EMBEDDING_MODELS, EMULATOR_TOKENS_PER_SECOND,
    EMULATOR_TRANSPORT, FALLBACK_MODEL, IMAGE_MODEL, JUDGE_MODEL, JUDGE_MODELS,
    KNOWLEDGE_EMBEDDING_MODEL, KNOWLEDGE_MIN_SIMILARITY, KNOWLEDGE_RERANK_MODEL,
    KNOWLEDGE_TO_MARKDOWN, MAX_TOKENS, MAX_TOKENS_LIMIT, MEDIA_MODELS,
    MODELS, PROVIDER_TOKENS, PROVIDERS, RERANK_MODELS, SPEECH_MODEL, TITLE_MODEL,
    UPSTREAM_ANSWER_SECONDS, UPSTREAM_CONNECT_SECONDS, UPSTREAM_CONNECTIONS,
    UPSTREAM_CONTENT_SECONDS, UPSTREAM_FIRST_BYTE_SECONDS, UPSTREAM_IDLE_SECONDS, UPSTREAM_PROTOCOL,
    UPSTREAM_REQUESTS_PER_MINUTE, UPSTREAM_RETRIES, WORKERS_AI_BASE_URL,
)
# isort: on
# fmt: on

BASE_DIR = PROJECT_DIR

# --- Hosts, keys and transport security -----------------------------------------------------------

DEBUG = env_bool("DEBUG", default=False)
SECRET_KEY = env_secret("SECRET_KEY") or secret_key.read_or_make(DATA_DIR / "secret_key")
SECRET_KEY_FALLBACKS = env_secret("SECRET_KEY_FALLBACKS").split()
SECURE = site.scheme == "https"
TRUSTED_PROXY_COUNT = env_int("TRUSTED_PROXY_COUNT", 0, maximum=9)

LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS = [SITE_HOST, *env_list("ALLOWED_HOSTS")]
if not SECURE:
    ALLOWED_HOSTS += LOCAL_HOSTS
CHECK_LOCAL_SITES = env_bool("CHECK_LOCAL_SITES", default=SITE_HOST in LOCAL_HOSTS)
PRIVATE_PROVIDERS = env_bool("PRIVATE_PROVIDERS", default=SITE_HOST in LOCAL_HOSTS)
CSRF_TRUSTED_ORIGINS = [f"{site.scheme}://{site.netloc}"]

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE
SESSION_ENGINE = "chat.accounts.sessions.session_store"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_SSL_REDIRECT = SECURE
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics|streamz)$"]  # requested without the proxy
HSTS_SECONDS = env_int("HSTS_SECONDS", 31536000)
SECURE_HSTS_SECONDS = HSTS_SECONDS if SECURE else 0
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if TRUSTED_PROXY_COUNT:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# W005, W021: whether sibling hosts use HTTPS is not for a chat site to decide. W001 to W003 look
# for three middleware by Django's names; ours are subclasses of them (django_middleware.py).
SILENCED_SYSTEM_CHECKS = [f"security.W{number}" for number in ("001", "002", "003", "005", "021")]

CSRF_FAILURE_VIEW = "chat.web.http.error_views.csrf_failed"
CONTENT_SECURITY_POLICY: dict[str, dict[str, str]] = {}  # one per area: content_security.py

# --- Django ---------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "project.admin_config.StaffAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.forms",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "csp",
    "chat",
    "django.contrib.staticfiles",  # its `runserver` gives way to that of `chat`
    "project.serving.config.ServingConfig",
]
MIDDLEWARE = [
    "chat.middleware.request_log.RequestMiddleware",
    "chat.middleware.monitoring_host.MonitoringHostMiddleware",
    "project.asgi.django_middleware.Security",
    "django_permissions_policy.PermissionsPolicyMiddleware",
    "project.static.StaticMiddleware",
    "chat.middleware.content_security.ContentSecurityMiddleware",
    "project.asgi.django_middleware.ClickjackingProtection",
    "chat.middleware.widget_isolation.WidgetIsolationMiddleware",
    "chat.middleware.api_isolation.ApiIsolationMiddleware",
    "chat.middleware.request_rate.RepeatedRequestMiddleware",
    "chat.middleware.overload.OverloadMiddleware",
    "project.asgi.django_middleware.Sessions",
    "project.asgi.django_middleware.Common",
    "project.asgi.django_middleware.CsrfProtection",
    "project.asgi.django_middleware.Authentication",
    "project.asgi.django_middleware.Messages",
    "django_htmx.middleware.HtmxMiddleware",
    "chat.middleware.current_user.CurrentUserMiddleware",
    "chat.middleware.language.LanguageMiddleware",
    "chat.middleware.request_rate.RequestRateMiddleware",
    "chat.middleware.device_tracking.DeviceMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "chat.error_responses.ErrorMiddleware",
]
ROOT_URLCONF = "project.urls"
ASGI_APPLICATION = "project.asgi.application"
DJANGO_ASGI_HANDLER = env_bool("DJANGO_ASGI_HANDLER", default=False)  # or ours: asgi/handler.py
FORM_RENDERER = "chat.web.http.form_renderer.FormRenderer"
TEMPLATES = templates.templates(BASE_DIR / "templates", is_debugging=DEBUG)
LANGUAGE_CODE = "en"
USE_I18N = USE_TZ = True
LANGUAGES = with_native_names()
LOCALE_PATHS = [BASE_DIR / "chat" / "locale"]  # precedes Django's and allauth's
FORMAT_MODULE_PATH = "project.formats"
TIME_ZONE = "UTC"
STATIC_URL = "/static/"
# What `make assets` built from a script or style sheet precedes its source.
STATICFILES_DIRS = [BASE_DIR / "build", BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "project.npm.npm_files.NpmFinder",
]
MODULES_ON_DEMAND = js_modules.MODULES
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "project.static_storage.StaticStorage"},
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Databases and caches -------------------------------------------------------------------------

DATABASES = databases.read(f"sqlite:///{DATA_DIR / 'runnel.sqlite3'}")
#: What limits statements in server processes (project/asgi/entry_point.py).
DATABASE_LIMITS = databases.statement_limits()
private_files.protect(DATABASES, EMAIL_FILE_PATH, Path(AUDIT_SEALS_PATH))
_SITE_PREFIX = caches.site_prefix(SECRET_KEY, DATABASES["default"])
CACHES = caches.read(_SITE_PREFIX)
CHANNEL_LAYERS = caches.channel_layers(_SITE_PREFIX)

# --- Accounts -------------------------------------------------------------------------------------

INVITATION_DAYS = env_int("INVITATION_DAYS", 7, minimum=1, maximum=365)
AUTH_USER_MODEL = "chat.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": name}
    for name in (
        "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "chat.accounts.errors.MinimumLengthValidator",
        "django.contrib.auth.password_validation.CommonPasswordValidator",
        "django.contrib.auth.password_validation.NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "chat"
ACCOUNT_ADAPTER = "chat.accounts.adapter.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
# Without a mail server, nobody could confirm. Without confirmation, signing up reveals who has an
# account.
ACCOUNT_EMAIL_VERIFICATION = env_choice(
    "EMAIL_CONFIRMATION",
    ("optional", "mandatory", "none"),
    "mandatory" if IS_MAILED else "optional",
)
if SIGN_UP_DOMAINS and ACCOUNT_EMAIL_VERIFICATION != "mandatory":
    stop(
        "SIGN_UP_DOMAINS", "needs EMAIL_CONFIRMATION=mandatory, because anybody can type an address"
    )
ACCOUNT_FORMS = {"signup": "chat.accounts.forms.SignUpForm"}
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_DEFAULT_HTTP_PROTOCOL = site.scheme
SIGN_UP_PROOF_OF_WORK = env_int("SIGN_UP_PROOF_OF_WORK", 0, maximum=100_000)
if SIGN_UP_PROOF_OF_WORK and not (SECURE or SITE_HOST in LOCAL_HOSTS):
    stop("SIGN_UP_PROOF_OF_WORK", "needs a SITE_URL with https://, because browsers require it")
SOCIALACCOUNT_ADAPTER = "chat.accounts.single_sign_on.adapter.SignInAdapter"
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "provider_class": "chat.accounts.single_sign_on.identity_client.IdentityProvider"
    }
}

DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY_BYTES

# --- Limits of a new database; later ones are set in the admin ------------------------------------

try:
    INITIAL_LIMITS = initial_limits.read(env_str("INITIAL_LIMITS", initial_limits.DEFAULT))
except ValueError as error:
    stop("INITIAL_LIMITS", str(error))

# --- Generations ----------------------------------------------------------------------------------

ABANDONED_AFTER_SECONDS = env_float("ABANDONED_AFTER_SECONDS", 30, minimum=0.1)
MEMBER_ABANDONED_AFTER_SECONDS = env_float("MEMBER_ABANDONED_AFTER_SECONDS", 0)
DRAIN_SECONDS = env_float("DRAIN_SECONDS", 20)
WORKER_TIMEOUT_SECONDS = env_float("WORKER_TIMEOUT_SECONDS", 30)
FLUSH_SECONDS = env_float("FLUSH_SECONDS", 0.15, minimum=0.01)
STREAM_REAUTH_SECONDS = env_float("STREAM_REAUTH_SECONDS", 10, minimum=0.05)
LOG_KEEP_SECONDS = env_float("LOG_KEEP_SECONDS", 600)
UNDO_SECONDS = env_float("UNDO_SECONDS", 30, minimum=1)
HOLD_MAX_DAYS = env_int("HOLD_MAX_DAYS", 90, maximum=36_500)
SEND_TIMEOUT_SECONDS = env_float("SEND_TIMEOUT_SECONDS", 30, minimum=0.05)
HEARTBEAT_SECONDS = env_float("HEARTBEAT_SECONDS", 15, minimum=0.05)

# --- Metrics and backups --------------------------------------------------------------------------

METRICS_TOKEN = env_secret("METRICS_TOKEN")
BACKUP_PASSPHRASE = env_secret("BACKUP_PASSPHRASE")

# --- Logging: ids, codes and sizes; never a message, a token or a cookie --------------------------

LOGGING = log_config.read()

paths.require_private(DATABASES)
#: They win over what is saved in the page (chat/site_settings/).
SET_IN_ENVIRONMENT = frozenset(SET)
