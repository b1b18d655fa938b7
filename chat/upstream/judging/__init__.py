"""Judging: how probable it is that a question or an answer is of each of some categories."""
