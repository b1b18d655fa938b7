"""Chaos: the site in real server processes, real kills, a model's side that misbehaves to order.

What the site kept and showed is judged against what an upstream of our own wrote down, never
against what the site says about itself. `python -m tests.chaos --help` tells how to run it.
"""
