"""Files of many kinds, as programs write them."""
