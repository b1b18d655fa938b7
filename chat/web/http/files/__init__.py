"""Files that are written for downloading: CSV tables, and streams of any length."""
