"""Find personal data with a checkable form in a text, and cover it with placeholders."""
