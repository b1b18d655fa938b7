"""Tell administrators when spending nears a limit, and when many answers fail."""
