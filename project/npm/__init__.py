"""What the browser gets of npm packages."""
