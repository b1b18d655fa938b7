"""How long bodies, messages, images and imports may be, and what a member may store."""

from project.config.env import env_bool, env_int

MAX_BODY_BYTES = env_int("MAX_BODY_BYTES", 4 * 1024 * 1024, minimum=1024)
MAX_IMPORT_BYTES = env_int("MAX_IMPORT_BYTES", 60 * 1024 * 1024, minimum=1024)
MAX_AUDIO_BYTES = env_int("MAX_AUDIO_BYTES", 25 * 1024 * 1024, minimum=1024)
MAX_DOCUMENT_BYTES = env_int("MAX_DOCUMENT_BYTES", 20 * 1024 * 1024, minimum=1024)
MAX_INBOUND_MAIL_BYTES = env_int("MAX_INBOUND_MAIL_BYTES", 20 * 1024 * 1024, minimum=1024)
# Of the indexes of collections, in each process.
KNOWLEDGE_MEMORY_BYTES = env_int("KNOWLEDGE_MEMORY_BYTES", 256 * 1024 * 1024, minimum=1024 * 1024)
KEEP_DOCUMENT_FILES = env_bool("KEEP_DOCUMENT_FILES", default=True)
KEEP_QUESTION_FILES = env_bool("KEEP_QUESTION_FILES", default=True)
MAX_IMAGE_BYTES = env_int(
    "MAX_IMAGE_BYTES", min(2 * 1024 * 1024, MAX_BODY_BYTES), minimum=1024, maximum=MAX_BODY_BYTES
)
MAX_MESSAGE_IMAGES = env_int("MAX_MESSAGE_IMAGES", 4, maximum=20)
MAX_IMPORT_MESSAGES = env_int("MAX_IMPORT_MESSAGES", 100_000, minimum=1)
MAX_ANSWER_CHARS = env_int("MAX_ANSWER_CHARS", 1_000_000, minimum=1)
# Below this, nothing new starts, so that running answers can still be stored.
MIN_FREE_BYTES = env_int("MIN_FREE_BYTES", 64 * 1024 * 1024)
MAX_MEMBER_BYTES = env_int("MAX_MEMBER_BYTES", 100 * 1024 * 1024)
MAX_MESSAGE_CHARS = env_int("MAX_MESSAGE_CHARS", 500_000, minimum=1)
MAX_CONVERSATION_MESSAGES = env_int("MAX_CONVERSATION_MESSAGES", 10_000, minimum=2)
