#!/usr/bin/env python
"""Django's command line for Runnel."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")
    import django
    from django.core.management import execute_from_command_line

    from project.loading import collection_paused

    with collection_paused():
        django.setup()
    from project.serving.command_errors import explained  # it needs the settings

    with explained():
        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
