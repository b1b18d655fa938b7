"""Helpers for the whole emulator: faults, tokens and usage."""
