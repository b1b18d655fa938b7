"""The version of this code; a test compares it with pyproject.toml and CHANGELOG.md."""

VERSION = "0.1.0"
