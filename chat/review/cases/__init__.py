"""What somebody should look at: flags, the cases that they gather in, rules that make them."""
