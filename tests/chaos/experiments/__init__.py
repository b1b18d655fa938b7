"""One file per fault. Each runs once per seed, and returns the problems and one figure."""
