"""What tests of running answers share with others."""

PATIENT = {"UPSTREAM_CONTENT_SECONDS": 20, "UPSTREAM_IDLE_SECONDS": 20}
