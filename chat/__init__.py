"""Runnel's one Django app: a subpackage per noun, imports going down only (docs/architecture.md)."""
