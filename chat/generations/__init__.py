"""Generate answers: a task writes each into a log of frames, which any number of readers follow."""
