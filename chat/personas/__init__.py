"""Personas, which say how answers are written, and prompts: short texts to send again."""
