"""Serve the site with Daphne, for development.

Daphne is no installed app: each process of the site would load Twisted for this command alone.
"""

from daphne.management.commands.runserver import Command

__all__ = ["Command"]
