"""All settings, read from the environment and from `.env` at the root. `.env.example` lists every one."""

from pathlib import Path
from typing import Any

from agentify_site.named_env import NamedEnv
from agentify_site.runtime.paths import redis_socket, socket_url
from agentify_site.runtime.running import who_runs
from agentify_site.secrets import read_or_make_secret_key

BASE_DIR = Path(__file__).resolve().parent.parent
env = NamedEnv()
NamedEnv.read_env(BASE_DIR / ".env")

VAR_DIR = Path(env.str("AGENTIFY_VAR", default=str(BASE_DIR / "var"))).resolve()
DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or read_or_make_secret_key(VAR_DIR / "secret_key")
# Keys that sealed what lies in the database before SECRET_KEY was changed; `rotate-keys` makes them superfluous.
SECRET_KEY_FALLBACKS: list[str] = env.list("SECRET_KEY_FALLBACKS", default=[])
ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", default=[])
RUNNING = who_runs(VAR_DIR)  # the `up` or `demo` on this folder, for commands beside it; None where there is none
GIVEN_URL = env.str("PUBLIC_URL", default="").rstrip("/")
PUBLIC_URL = GIVEN_URL or (RUNNING.address if RUNNING else "http://127.0.0.1:8000")

INSTALLED_APPS = [
    "recipes_app.admin.apps.AgentifyAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "django_rq",
    "recipes_app",
    "evidence_app",
    "agentify_site",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "agentify_site.middleware.ContentSecurityPolicyMiddleware",
    "agentify_site.middleware.PrivateMiddleware",
    "agentify_site.middleware.WholeTextMiddleware",
    "agentify_site.middleware.ApiAnswersInJsonMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "recipes_app.views.following.FollowTeam",
]
ROOT_URLCONF = "agentify_site.urls"
WSGI_APPLICATION = "agentify_site.wsgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "recipes_app.views.rail.rail",
            ],
        },
    }
]

SQLITE_OPTIONS = {
    "timeout": 20,
    "transaction_mode": "IMMEDIATE",
    "init_command": (
        "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA busy_timeout=20000;"
        "PRAGMA foreign_keys=ON;PRAGMA cache_size=-32000;"
    ),
}
DATABASES: dict[str, dict[str, Any]] = {
    "default": env.db_url("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'agentify.sqlite3'}")
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["OPTIONS"] = SQLITE_OPTIONS

AUTH_USER_MODEL = "recipes_app.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
SESSION_COOKIE_HTTPONLY = True
IS_HTTPS = PUBLIC_URL.startswith("https://")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_HTTPS
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=30 * 24 * 3600) if IS_HTTPS else 0
# Only where a proxy sets or removes X-Forwarded-Proto itself may it be believed; without it a redirect would loop.
BEHIND_TLS_PROXY = env.bool("BEHIND_TLS_PROXY", default=False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_TLS_PROXY else None
SECURE_SSL_REDIRECT = IS_HTTPS and BEHIND_TLS_PROXY
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]  # asked by what stands beside it
# Other hosts of the domain, and lists that browsers come with, are not this installation's to decide on.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
EMAIL_URL = env.email_url("EMAIL_URL", default="consolemail://")
EMAIL_BACKEND = EMAIL_URL["EMAIL_BACKEND"]
EMAIL_IS_CONFIGURED = bool(env.str("EMAIL_URL", default=""))
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="agentify@localhost")

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = VAR_DIR / "static"
STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # files come from finders, but WhiteNoise warns of a missing folder
EVIDENCE_ROOT = Path(env.str("EVIDENCE_ROOT", default=str(VAR_DIR / "evidence")))  # artifacts and runs' folders
EVIDENCE_STORE = env.str("EVIDENCE_STORE", default="")  # s3://bucket/prefix; empty: in EVIDENCE_ROOT
# What signs the ledger's heads: PEM, or 32 bytes in base64; a new key before the old one while they are changed.
LEDGER_SIGNING_KEY = tuple(key for key in env.str("LEDGER_SIGNING_KEY", default="").split(",") if key.strip())
LEDGER_ORIGIN = env.str("LEDGER_ORIGIN", default="")
LEDGER_DIR = Path(env.str("LEDGER_DIR", default=str(VAR_DIR / "ledger")))  # the key, and the last head it signed
LEDGER_VERIFY_HOUR = env.int("LEDGER_VERIFY_HOUR", default=3)  # UTC; -1: never by itself
LEDGER_VERIFY_FILES = env.one_of("LEDGER_VERIFY_FILES", "all", "sample", "none", default="sample")
# Where copies of the ledger's signed heads go, and who sets a time under them.
LEDGER_COPIES: list[str] = env.list("LEDGER_COPIES", default=[])
TIMESTAMP_AUTHORITIES: list[str] = env.list("TIMESTAMP_AUTHORITIES", default=[])
TIMESTAMP_ROOTS = env.str("TIMESTAMP_ROOTS", default="")  # a PEM file
TIMESTAMP_EVERY_S = env.int("TIMESTAMP_EVERY_S", default=3600)
MEDIA_ROOT = Path(env.str("MEDIA_ROOT", default=str(VAR_DIR / "media")))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": str(MEDIA_ROOT)}},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True

# Queues. Redis carries ids of job rows only; one browser queue per worker.
REDIS_URL = env.str("REDIS_URL", default="") or socket_url(redis_socket(VAR_DIR))
QUEUE_NAMES = ("calls", "agents", "packs")
RQ_QUEUES: dict[str, dict[str, Any]] = {
    name: {
        "URL": REDIS_URL,
        "DEFAULT_TIMEOUT": 660,
        "DEFAULT_RESULT_TTL": 0,
        "SERIALIZER": "rq.serializers.JSONSerializer",  # pickles would run whatever somebody wrote into Redis
    }
    for name in QUEUE_NAMES
}
RQ_SHOW_ADMIN_LINK = True

# Limits of one job, seconds. RQ's own timeout is only a back stop behind these.
CALL_DEADLINE_S = env.int("CALL_DEADLINE_S", default=120)
MAPPING_DEADLINE_S = env.int("MAPPING_DEADLINE_S", default=600)
REMOTE_DEADLINE_S = env.int("REMOTE_DEADLINE_S", default=1800)  # of a browser that a person drives
REMOTE_IDLE_S = env.int("REMOTE_IDLE_S", default=300)  # without anybody doing anything in it
RECORDING_DEADLINE_S = env.int("RECORDING_DEADLINE_S", default=300)
API_WAITERS = env.int("API_WAITERS", default=4)  # of the 8 threads of the web process
MAX_RESULT_MB = env.int("MAX_RESULT_MB", default=5)  # of one call
MAX_DOWNLOAD_MB = env.int("MAX_DOWNLOAD_MB", default=100)  # of one file
PLANNING_DEADLINE_S = env.int("PLANNING_DEADLINE_S", default=180)  # a sentence made into a task spec
SAMPLE_DEADLINE_S = env.int("SAMPLE_DEADLINE_S", default=3600)  # of a sample whose task has no limit
LEASE_S = env.int("LEASE_S", default=30)
WORKER_RECYCLE_JOBS = env.int("WORKER_RECYCLE_JOBS", default=100)
WORKER_RECYCLE_MB = env.int("WORKER_RECYCLE_MB", default=1500)

# The browser, and what a run may reach.
CHROMIUM_PATH = env.str("CHROMIUM_PATH", default="")
HEADLESS = env.bool("HEADLESS", default=True)
USER_AGENT = env.str("USER_AGENT", default="")
BLOCK_MEDIA = env.bool("BLOCK_MEDIA", default=True)  # in calls of tools that take no picture
ALLOWED_PRIVATE_HOSTS: list[str] = env.list("ALLOWED_PRIVATE_HOSTS", default=[])
OWNERS_MAY_OPEN_PRIVATE_HOSTS = env.bool("OWNERS_MAY_OPEN_PRIVATE_HOSTS", default=False)
PRACTICE_PORT = env.int("PRACTICE_PORT", default=(RUNNING and RUNNING.practice_port) or 8700)
PRACTICE_RUNS = env.bool("PRACTICE_RUNS", default=bool(RUNNING and RUNNING.practice_port))  # said by what started it

# Where passwords lie that sites are signed in to with.
VAULT = env.one_of("VAULT", "local", "environment", "hashicorp", default="local")
VAULT_KEYS = tuple(key.strip() for key in env.list("VAULT_KEYS", default=[]))  # of the local one, the newest first
VAULT_ADDR = env.str("VAULT_ADDR", default="")
VAULT_TOKEN = env.str("VAULT_TOKEN", default="")
VAULT_NAMESPACE = env.str("VAULT_NAMESPACE", default="")
VAULT_MOUNT = env.str("VAULT_MOUNT", default="secret")

# Model providers; all optional.
OPENAI_API_KEY = env.str("OPENAI_API_KEY", default="")
OPENAI_BASE_URL = env.str("OPENAI_BASE_URL", default="")
AGENTIFY_MODEL = env.str("AGENTIFY_MODEL", default="gpt-5.4-mini")
ANTHROPIC_API_KEY = env.str("ANTHROPIC_API_KEY", default="")
ANTHROPIC_BASE_URL = env.str("ANTHROPIC_BASE_URL", default="")
LLM_MODEL = env.str("LLM_MODEL", default="claude-sonnet-4-6")
LLM_FAST_MODEL = env.str("LLM_FAST_MODEL", default="claude-haiku-4-5")
LLM_PROVIDER = env.str("LLM_PROVIDER", default="")  # where nobody chose one: openai or anthropic
ENABLE_FALLBACK_LLM = env.bool("ENABLE_FALLBACK_LLM", default=False)
FALLBACK_LLM_MODEL = env.str("FALLBACK_LLM_MODEL", default="claude-haiku-4-5")
LLM_CONTEXT_WINDOW = env.int("LLM_CONTEXT_WINDOW", default=200_000)
LLM_TIMEOUT_S = env.int("LLM_TIMEOUT_S", default=120)  # of one answer
MODEL_PRICES = env.str("MODEL_PRICES", default="")  # JSON, beside the table in recipes_app/llm/prices.py
MAPPING_BUDGET_TOKENS = env.int("MAPPING_BUDGET_TOKENS", default=200_000)
RECORDING_BUDGET_TOKENS = env.int("RECORDING_BUDGET_TOKENS", default=200_000)
EVIDENCE_BUDGET_TOKENS = env.int("EVIDENCE_BUDGET_TOKENS", default=5_000_000)  # of one run of a task spec
# How evidence is signed.
REVIEW_TWO_SIGNATURES = env.bool("REVIEW_TWO_SIGNATURES", default=False)  # by two people, one after the other
REVIEW_OWN_JUDGMENT_FIRST = env.bool("REVIEW_OWN_JUDGMENT_FIRST", default=True)  # the agent's is shown afterwards
# How the evidence agent goes about it.
REFLECTION_MODE = env.str("REFLECTION_MODE", default="light")
ENABLE_MEMORY_DISTILLATION = env.bool("ENABLE_MEMORY_DISTILLATION", default=True)
FINALIZE_ON_FAILURE = env.bool("FINALIZE_ON_FAILURE", default=True)
ENABLE_MULTI_ACTIONS = env.bool("ENABLE_MULTI_ACTIONS", default=False)
MAX_ACTIONS_PER_STEP = env.int("MAX_ACTIONS_PER_STEP", default=3)
MAX_CONCURRENT = env.int("MAX_CONCURRENT", default=2)  # workers that run_task starts for itself
POLITENESS = env.str("POLITENESS", default="")  # JSON: seconds between two pages asked of a domain
RUN_BUDGET_USD = env.str("RUN_BUDGET_USD", default="")  # of one mapping or recording; empty: tokens are the limit

LOG_LEVEL = env.str("LOG_LEVEL", default="INFO")
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "agentify_site.discreet.DiscreetFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s %(message)s",
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    # The clients of models would write prompts into the log.
    "loggers": {name: {"level": "WARNING"} for name in ("openai", "anthropic", "httpx2")},
}
