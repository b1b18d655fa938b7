"""Emulate what belongs to an account: its neurons, its gateway, its list of models."""
