"""Run one server process under uvicorn: `python -m project.serving.worker ADDRESS LIFELINE`.

LIFELINE is the number of the reading end of a pipe. Its writing end is the supervisor's, so it
closes when the supervisor ends, however that happens.
"""

import faulthandler
import os
import signal
import sys
import threading

import uvicorn

from project.serving.listen_address import ListenAddress

#: Open streams end by themselves when the process has drained; this is for what hangs.
CLOSE_SECONDS = 3
#: Longer than proxies keep idle connections (deploy/), so that none is closed while it is used.
KEEP_ALIVE_SECONDS = 75


def main() -> None:
    faulthandler.register(signal.SIGUSR1)  # before the supervisor kills it because it hangs
    address, lifeline = ListenAddress.parse(sys.argv[1]), int(sys.argv[2])
    threading.Thread(target=_end_with_supervisor, args=[lifeline], daemon=True).start()
    uvicorn.run(
        "project.asgi:application",
        host=address.host,
        port=address.port,
        uds=address.path or None,
        loop="uvloop",
        http="httptools",
        lifespan="on",  # a process that cannot start its work must not serve
        log_config=None,  # the site's own
        log_level="warning",  # the supervisor logs starts and ends
        access_log=False,  # it has paths
        proxy_headers=False,  # the site reads them itself, if TRUSTED_PROXY_COUNT says so
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=CLOSE_SECONDS,
    )


def _end_with_supervisor(lifeline: int) -> None:
    """Drain and end once the supervisor is gone."""
    os.read(lifeline, 1)
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
