"""What views of all kinds need of HTTP: origins, JSON, forms, downloads, errors."""
