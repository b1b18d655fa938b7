"""Stand in for audio and image models; what they return says that no model made it."""
