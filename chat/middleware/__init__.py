"""Django middleware, one class in each file, in the order of `MIDDLEWARE`."""
