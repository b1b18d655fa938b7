"""Mutation tests: change one place of the code at a time, and see whether a test fails.

`python -m tests.mutants --help` explains how to run it; docs/reliability.md says why it is a program of
our own.
"""
