"""Send signed requests to addresses that people have set, and try again what failed."""
