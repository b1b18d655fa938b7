"""The table of allauth's that says which session is whose; devices.py keeps it.

Allauth's own receivers stay off. They store network addresses, which nothing here shows, and they
look each session up by `get_user`, which gives a session from under an older SECRET_KEY a new key:
its browser, which knows the old one, would be signed out.
"""

from allauth.usersessions.apps import UserSessionsConfig


class QuietUserSessionsConfig(UserSessionsConfig):
    def ready(self) -> None:
        pass
