"""One file per fault. Each runs once per seed and returns what was wrong and one figure."""
