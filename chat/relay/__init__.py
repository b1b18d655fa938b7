"""Relaying: ask the model's side, keep the answer as a log of frames, let readers follow."""
