"""Tools of MCP servers, which an administrator connects."""
