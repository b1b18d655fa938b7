"""Send signed requests to addresses that people have set."""
