"""Send the audit log to a file or to syslog, entry by entry."""
