"""Runnel's one Django app: a subpackage per noun, imports going down (docs/architecture.md)."""
