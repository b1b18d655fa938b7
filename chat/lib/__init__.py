"""Pure helpers: bytes and values in, bytes and values out.

Imports no other package of the project.
"""
