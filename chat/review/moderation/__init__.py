"""Moderate content and people, with a reason and a log entry.

Each action is one transaction with its log entry, and can be undone by another one.
"""
