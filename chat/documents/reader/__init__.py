"""The program that reads one file, without Django: see `__main__.py`."""
