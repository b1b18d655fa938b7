"""Read the settings of tools that models may call."""

import re
import shlex

from project.config.env import env_bool, env_choice, env_secret, env_str, stop

KNOWN_TOOLS = (
    "web_search",
    "fetch_page",
    "search_my_chats",
    "search_documents",
    "generate_image",
    "calculator",
    "current_time",
    "remember",
)
TOOLS = tuple(each.strip() for each in env_str("TOOLS", ", ".join(KNOWN_TOOLS)).split(","))
if TOOLS == ("none",):
    TOOLS = ()
for _name in TOOLS:
    if _name not in KNOWN_TOOLS:
        stop("TOOLS", f"has {_name!r}; choose from: {', '.join(KNOWN_TOOLS)}, or none")
#: Whether people may allow a tool with effects for good.
TOOLS_ALWAYS_ALLOWED = env_bool("TOOLS_ALWAYS_ALLOWED", default=True)
WEB_SEARCH_ENGINES = ("", "none", "brave", "tavily", "searxng", "emulator")
WEB_SEARCH = env_choice("WEB_SEARCH", WEB_SEARCH_ENGINES, "")
WEB_SEARCH_URL = env_str("WEB_SEARCH_URL")
WEB_SEARCH_KEY = env_secret("WEB_SEARCH_KEY")
if WEB_SEARCH == "searxng" and not WEB_SEARCH_URL:
    stop("WEB_SEARCH_URL", "is missing; WEB_SEARCH=searxng needs the address of your server")
if WEB_SEARCH in {"brave", "tavily"} and not WEB_SEARCH_KEY:
    stop("WEB_SEARCH_KEY", f"is missing; WEB_SEARCH={WEB_SEARCH} needs it")


def _programs(text: str) -> dict[str, list[str]]:
    """Return commands by their names, from `name=command`, with semicolons or lines between."""
    programs = {}
    for entry in filter(None, map(str.strip, text.replace("\n", ";").split(";"))):
        name, _, command = entry.partition("=")
        try:
            words = shlex.split(command)
        except ValueError as error:
            stop("TOOL_PROGRAMS", f"has {entry!r}, which can't be read: {error}")
        if not PROGRAM_NAME.fullmatch(name.strip()) or not words:
            stop("TOOL_PROGRAMS", f"has {entry!r}; write it like files=/usr/bin/mcp-files /srv")
        programs[name.strip()] = words
    return programs


PROGRAM_NAME = re.compile(r"[a-z0-9-]{1,40}")
#: Commands of MCP servers that administrators may connect by their names.
TOOL_PROGRAMS = _programs(env_str("TOOL_PROGRAMS"))
