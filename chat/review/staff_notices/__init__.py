"""Tell staff what concerns them: in their pages, by mail, and by a webhook of their own."""
