"""Find personal data with a checkable form in a text, and mask it with placeholders."""
