"""Images attached to questions: stored, read with an access check, shown to models, removed."""
