"""Start WebKitGTK on a screen of its own: the engine of Safari, as Debian packages it."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium.webdriver import Remote
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.file_detector import UselessFileDetector
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from tests.support.missing_programs import require

BROWSERS = tuple(Path("/usr/lib").glob("*/webkit2gtk-*/MiniBrowser"))
SCREEN = "1280x900x24"
#: A console message is printed here, where the tests read it.
OPTIONS = ("--automation", "--enable-write-console-messages-to-stdout=true")


@contextmanager
def started_webkit(folder: Path) -> Iterator[Remote]:
    """Start it with nothing stored; files that it writes are in `folder`."""
    driver, browser = shutil.which("WebKitWebDriver"), next(iter(BROWSERS), None)
    require(driver, "WebKitWebDriver")
    require(browser, "MiniBrowser")
    require(shutil.which("Xvfb"), "Xvfb")
    options = Options()
    options.binary_location = str(browser)
    for each in OPTIONS:
        options.add_argument(each)
    with _screen() as display:
        environment = {
            **os.environ,
            "DISPLAY": display,
            "HOME": str(folder),
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_CACHE_HOME": str(folder / "cache"),
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",  # for root, as in a container
        }
        service = Service(str(driver), env=environment, log_output=str(folder / "webkit.log"))
        service.start()
        try:
            connection = RemoteConnection(client_config=ClientConfig(service.service_url))
            with Remote(connection, options=options) as window:
                window.file_detector = UselessFileDetector()  # it reads files of this machine
                yield window
        finally:
            service.stop()


@contextmanager
def _screen() -> Iterator[str]:
    """Start a virtual screen, and yield its name."""
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", SCREEN]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as screen:
        assert screen.stdout
        try:
            yield f":{screen.stdout.readline().decode().strip()}"
        finally:
            screen.terminate()
