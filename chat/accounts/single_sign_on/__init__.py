"""Sign in through the organisation's own identity provider, with OpenID Connect (sign_in.md)."""
