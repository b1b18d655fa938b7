"""Formats of the APIs of OpenAI and Cloudflare, for the site and the emulator."""
