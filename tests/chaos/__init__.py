"""Chaos experiments: real server processes, real kills, and a fake provider that fails on request.

What the site kept and showed is judged against what an upstream of our own wrote down, never
against what the site says about itself. `python -m tests.chaos --help` tells how to run it.
"""
