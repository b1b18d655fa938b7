class TargetUnavailable(Exception):
    """The target of the audit log took nothing, or not all. The text is logged and stored."""
