"""Collections of documents, their passages, and the search for those that a question is about."""
