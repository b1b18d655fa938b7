"""Judge questions and answers for rules: before they are sent, or once they are stored."""
