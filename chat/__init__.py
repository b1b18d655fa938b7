"""Runnel's Django app: a subpackage per topic, with imports going down (docs/architecture.md)."""
