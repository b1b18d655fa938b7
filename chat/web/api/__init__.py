"""The API for members' programs, in the formats of OpenAI and Cloudflare. It is in English."""
