"""Files that people attach: their text, read in a process of its own."""
