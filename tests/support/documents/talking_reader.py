"""Writes without an end."""

import sys

while True:
    sys.stdout.write("x" * 65_536)
