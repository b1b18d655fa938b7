"""Two answers to one question, by two models, which the member compares."""
