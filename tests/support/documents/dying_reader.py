"""Is ended as if memory had run out."""

import os
import signal

os.kill(os.getpid(), signal.SIGKILL)
