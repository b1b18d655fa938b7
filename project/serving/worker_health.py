"""Exit with 0 if every worker answers /healthz: `python -m project.serving.worker_health`.

For containers, whose images have no other client. It reads the same settings as the site.
"""

import sys

from project.config.site_address import HOST, PORT, SITE_HOST, SOCKET_DIR, WORKERS
from project.serving.listen_address import listen_addresses


def main() -> int:
    addresses = listen_addresses(WORKERS, HOST, PORT, SOCKET_DIR)
    silent = [each for each in addresses if each.status("/healthz", SITE_HOST) != 200]
    for address in silent:
        print(f"The worker at {address} doesn't answer.", file=sys.stderr)
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
