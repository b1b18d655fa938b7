"""Share HTTP helpers among all views: origins, JSON, forms, downloads, errors."""
