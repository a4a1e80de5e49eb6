"""A real browser for tests of the page: Debian's Chromium by its driver."""

import json
import os
import pathlib
import re
import subprocess
import sys

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from ports import free_port  # noqa: E402, F401  # pylint: disable=wrong-import-position,unused-import

SLAQ = os.environ.get("SLAQ", "build/release/bin/slaq")
# Only something that hangs takes so long.
PATIENCE_S = 120


def start(width=1280, height=900):
    options = Options()
    options.binary_location = "/usr/bin/chromium"
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--window-size={width},{height}",
                 "--hide-scrollbars"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))


def wait(browser, condition):
    """What the condition returns, once it is true. The page may draw an element anew between its finding and its reading."""
    waiting = WebDriverWait(browser, PATIENCE_S, ignored_exceptions=[StaleElementReferenceException])
    return waiting.until(lambda _: condition())


def find(browser, selector):
    return browser.find_element(By.CSS_SELECTOR, selector)


def find_all(browser, selector):
    return browser.find_elements(By.CSS_SELECTOR, selector)


def has_curves(browser):
    """Whether each picture has something drawn on it."""
    return browser.execute_script("""
        const canvases = [...document.querySelectorAll("canvas")];
        return canvases.length > 0 && canvases.every((each) => {
          if (each.width === 0 || each.height === 0) return false;
          const pixels = each.getContext("2d").getImageData(0, 0, each.width, each.height).data;
          return pixels.some((value) => value !== 0);
        });""")


def complaints(browser):
    """What the browser's console has of errors and of breaches of the page's security policy. That pictures are read
    is told of has_curves(). Where another test adds an interface to this machine's network, the browser ends its
    connections, and the page connects again."""
    return [entry["message"] for entry in browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")
            and not any(word in entry["message"] for word in ("willReadFrequently", "ERR_NETWORK_CHANGED"))]


def report(folder, name, *arguments, command="simulate"):
    """The page of a command, by default of a simulation."""
    path = pathlib.Path(folder) / name
    subprocess.run([SLAQ, command, *arguments, "--report", str(path)], check=True, stdout=subprocess.DEVNULL)
    return path


PLACE = re.compile(r'(<script type="application/json" id="document">)(.*?)(</script>)', re.DOTALL)


def document_of(path):
    return json.loads(PLACE.search(path.read_text()).group(2))


def with_document(path, document, name):
    """A copy of the page with another document in it."""
    text = json.dumps(document).replace("<", "\\u003c")
    page = path.read_text()
    place = PLACE.search(page)
    copy = path.with_name(name)
    copy.write_text(page[: place.start(2)] + text + page[place.end(2):])
    return copy
