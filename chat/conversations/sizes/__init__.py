"""How large messages and conversations may be, and how much somebody has stored."""
