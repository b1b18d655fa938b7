"""Let staff review conversations within their scope, and log every access."""
