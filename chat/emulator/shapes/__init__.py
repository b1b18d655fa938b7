"""The JSON formats in which Workers AI sends the same answer."""
