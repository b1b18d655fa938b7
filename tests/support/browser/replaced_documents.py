"""Ways in which a website's page replaces its document."""

NEW = "<head><title>New</title></head><body><h1>New page</h1></body>"
REPLACEMENTS = {
    "its content": f"document.documentElement.innerHTML = {NEW!r}",
    # As React 18 does if what the server sent isn't what it expects.
    "its element": f"""
        const fresh = document.createElement("html");
        fresh.innerHTML = {NEW!r};
        document.removeChild(document.documentElement);
        document.appendChild(fresh);
        null""",
    "all of it": f"document.open(); document.write({f'<!doctype html><html>{NEW}'!r}); document.close()",
}
