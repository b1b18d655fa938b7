"""Sign in to MCP servers by OAuth, once for the whole site.

https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
"""
