"""Tools that a model may call while it answers, each with the arguments that it takes."""
