"""Generations: a task writes an answer into a log of frames, and any number of readers follow it."""
