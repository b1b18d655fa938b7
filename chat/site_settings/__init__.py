"""Settings that administrators change in the page. The environment wins where it is set."""
