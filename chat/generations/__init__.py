"""An answer is written by a task into a log of frames; any number of readers follow it."""
