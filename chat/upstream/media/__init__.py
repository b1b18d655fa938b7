"""Speech to text, text to speech, and pictures."""
