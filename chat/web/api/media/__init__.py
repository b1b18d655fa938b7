"""Speech to text, text to speech, and pictures, in the formats of OpenAI and Cloudflare."""
