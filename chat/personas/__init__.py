"""Store personas, which define how answers are written, and prompts: short texts for reuse."""
