"""Requests to addresses that people entered: to public ones only, limited in time and size."""
