"""Write the summaries that replace the oldest messages of a long chat in prompts."""
