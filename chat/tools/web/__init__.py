"""Tools that look into the web: a search engine, and pages."""
