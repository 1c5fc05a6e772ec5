#!/usr/bin/env python3
"""html_browser.py PAGE DIR - uses a report in a real Chromium as a person would, at the width of a desk and of a telephone

Mouse and keys go through the browser's own input (DevTools protocol over a pipe), so what lies above a plot or is not
focused does not answer. Prints what is wrong, a line each, and exits 1 then. What is downloaded goes to DIR.
"""
import base64
import json
import os
import pathlib
import subprocess
import sys
import time

PAGE, DIR = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync", "--remote-debugging-pipe", f"--user-data-dir={DIR}/profile"]
PATIENCE = 30  # s, for a browser on a busy machine
KEYS = {"+": 187, "-": 189, "0": 48, "Tab": 9, "Home": 36, "End": 35, "ArrowLeft": 37, "ArrowRight": 39}
wrong = []


def check(good, what):
    if not good:
        wrong.append(what)


class Browser:
    def __init__(self):
        self.last, self.session, self.rest, self.events = 0, None, b"", []
        theirs_in, self.out = os.pipe()
        self.inp, theirs_out = os.pipe()

        def pipes():  # 3 and 4 are where it looks; they may be taken by the pipes themselves
            high = [os.dup(fd) for fd in (theirs_in, theirs_out)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        with open(DIR / "browser.log", "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(["chromium", *OPTIONS], preexec_fn=pipes, close_fds=False, stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log)
        os.close(theirs_in)
        os.close(theirs_out)

    def call(self, method, **params):
        self.last += 1
        message = {"id": self.last, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.rest:
                more = os.read(self.inp, 1 << 20)
                if not more:
                    sys.exit(f"the browser went away: {(DIR / 'browser.log').read_text()[-2000:]}")
                self.rest += more
            text, self.rest = self.rest.split(b"\0", 1)
            answer = json.loads(text)
            if answer.get("id") == self.last:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def js(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            sys.exit(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def until(self, expression):
        end = time.monotonic() + PATIENCE
        while not self.js(expression) and time.monotonic() < end:
            time.sleep(0.05)
        return self.js(expression)

    def mouse(self, kind, x, y, held=False):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if kind != "mouseMoved" or held else "none",
                  buttons=1 if held else 0, clickCount=1)
        self.settle()

    def click(self, x, y):
        self.mouse("mousePressed", x, y, True)
        self.mouse("mouseReleased", x, y)

    def key(self, name):
        text = {"text": name} if len(name) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=name, windowsVirtualKeyCode=KEYS[name], **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name, windowsVirtualKeyCode=KEYS[name])
        self.settle()

    def settle(self):
        self.js("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")


HELP = """
window.plots = [...document.querySelectorAll('figure.plot')].filter((figure) => figure.offsetParent);
window.boxOf = (node) => { node.scrollIntoView({ behavior: 'instant', block: 'center' });
    const box = node.getBoundingClientRect(); return [box.left, box.top, box.width, box.height]; };
window.ticks = (plot) => [...plot.querySelectorAll('.axis text')].map((text) => text.textContent).join('|');
window.said = (plot) => plot.querySelector('output').value;
window.misfits = () => [...document.querySelectorAll('svg')].flatMap((svg) => {
    const around = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect()]).filter(([, box]) => box.width);
    const cut = texts.filter(([, box]) => box.left < around.left - 2 || box.right > around.right + 2 || box.top < around.top - 2
        || box.bottom > around.bottom + 2).map(([text]) => `'${text}' is cut off`);
    const over = texts.flatMap(([text, box], i) => texts.slice(i + 1).filter(([, other]) =>
        Math.min(box.right, other.right) - Math.max(box.left, other.left) > 1 &&
        Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 3).map(([other]) => `'${text}' lies over '${other}'`));
    return [...cut, ...over];
}).concat([...document.querySelectorAll('.box')].flatMap((group) => {
    const frame = group.querySelector('rect').getBoundingClientRect();
    return [...group.querySelectorAll('text')].filter((text) => text.getBoundingClientRect().bottom > frame.bottom)
        .map((text) => `'${text.textContent}' hangs out of its box`);
}));
window.sorted = (way) => [...document.querySelector('table.operations').tBodies[0].rows].map((row) => row.cells[2].dataset.sort)
    .filter((text) => text !== '').map(Number).every((value, i, all) => i === 0 || way * (value - all[i - 1]) >= 0);
"""


def use_plot(browser, i, where):
    plot = f"plots[{i}]"
    name = f"{where}: {browser.js(f'{plot}.querySelector(`figcaption`).textContent')}"
    left, top, width, height = browser.js(f"boxOf({plot}.querySelector('rect.empty') || {plot}.querySelector('svg'))")
    whole, hint = browser.js(f"ticks({plot})"), browser.js(f"said({plot})")

    def at(x, y):
        return left + x * width, top + y * height

    def button(label):
        x, y, wide, high = browser.js(f"boxOf([...{plot}.querySelectorAll('.tools button')].find((one) => one.textContent === '{label}'))")
        browser.click(x + wide / 2, y + high / 2)
        return browser.js(f"ticks({plot})")

    browser.mouse("mouseMoved", *at(0.3, 0.4))
    told = browser.js(f"said({plot})")
    check(told != hint and any(letter.isdigit() for letter in told), f"{name}: hovering says '{told}'")
    browser.mouse("mousePressed", *at(0.3, 0.3), True)
    browser.mouse("mouseMoved", *at(0.5, 0.5), True)
    check(browser.js(f"Boolean({plot}.querySelector('.drag'))"), f"{name}: a drag has no outline")
    browser.mouse("mouseReleased", *at(0.7, 0.6))
    # A matrix of two by two has nothing to zoom into, and no buttons for it.
    zooms = browser.js(f"Boolean([...{plot}.querySelectorAll('.tools button')].find((one) => one.textContent === '+'))")
    check(zooms or browser.js(f"{plot}.querySelectorAll('.axis text').length === 4"), f"{name}: no button zooms")
    check(not zooms or browser.js(f"ticks({plot})") != whole, f"{name}: a drag does not zoom")
    check(browser.js(f"document.activeElement === {plot}.querySelector('svg')"), f"{name}: a click does not focus it")
    browser.key("0")
    check(browser.js(f"ticks({plot})") == whole, f"{name}: 0 does not show all of it")
    for key in ("Home", "ArrowRight", "End", "ArrowLeft") if zooms else ("Home", "ArrowRight", "ArrowLeft"):
        before = browser.js(f"said({plot})"), browser.js("scrollY")
        browser.key(key)
        after = browser.js(f"said({plot})"), browser.js("scrollY")
        check(before[0] != after[0] and before[1] == after[1], f"{name}: {key} says '{after[0]}' after '{before[0]}'")
    if zooms:
        browser.key("+")
        check(browser.js(f"ticks({plot})") != whole, f"{name}: + does not zoom")
        check(button("reset") == whole, f"{name}: reset does not show all of it")
        near = button("+")
        check(near != whole, f"{name}: the button + does not zoom")
        check(button("−") != near, f"{name}: the button − does not zoom out")
    had = set(os.listdir(DIR))
    button("data")
    end = time.monotonic() + PATIENCE
    while not [one for one in set(os.listdir(DIR)) - had if one.endswith(".csv")] and time.monotonic() < end:
        time.sleep(0.05)
    got = [one for one in set(os.listdir(DIR)) - had if one.endswith(".csv")]
    check(got and len((DIR / got[0]).read_text(encoding="utf-8").splitlines()) > 2, f"{name}: the data button gives {got}")
    for one in got:
        os.remove(DIR / one)


def use_keyboard(browser, where):
    """Tab goes from the skip link through all there is, in its order, and shows where it is."""
    browser.js("window.stops = []; undefined")
    for _ in range(60):
        browser.key("Tab")
        browser.js("stops.push(document.activeElement); undefined")
    check(browser.js("stops[0].className") == "skip", f"{where}: the first stop is no way past the head")
    check(browser.js("""stops.every((one, i) => i === 0 || one === document.body ||
        stops[i - 1].compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING)"""), f"{where}: Tab jumps about")
    for what in ("nav a", "figure.plot svg", "figure.plot .tools button", "#theme"):
        check(browser.js(f"stops.some((one) => one.matches('{what}'))"), f"{where}: Tab does not reach {what}")
    browser.js("document.querySelector('figure.plot svg').focus()")
    browser.key("Home")
    check(browser.js("getComputedStyle(document.activeElement).outlineStyle") == "solid", f"{where}: focus does not show")
    check(browser.js("""[...document.querySelectorAll('button, a, svg[tabindex], summary')].every((one) =>
        (one.getAttribute('aria-label') || one.textContent).trim())"""), f"{where}: something has no label")


def use(browser, width, scheme):
    where = f"{width} {scheme}"
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.call("Page.navigate", url=PAGE.as_uri())
    drawn = "document.readyState === 'complete' && document.querySelectorAll('figure svg').length > 1 && " \
        "[...document.querySelectorAll('figure svg')].every((svg) => svg.childNodes.length || !svg.clientWidth)"
    check(browser.until(drawn), f"{where}: a plot stays empty")
    browser.js(HELP)
    check(browser.js("innerWidth") == width, f"{where}: the window is not so wide")
    check(browser.js("document.documentElement.scrollWidth <= innerWidth"), f"{where}: the page is wider than its window")
    for text in browser.js("misfits()"):
        check(False, f"{where}: {text}")
    use_keyboard(browser, where)
    for i in range(browser.js("plots.length")):
        use_plot(browser, i, where)
    dark = browser.js("getComputedStyle(document.body).backgroundColor")
    browser.js("document.getElementById('theme').click()")
    check(browser.js("getComputedStyle(document.body).backgroundColor") != dark, f"{where}: light and dark are the same")
    for way, word in ((1, "up"), (-1, "down")):
        browser.js("document.querySelector('table.operations thead button:not(th:nth-child(-n+2) *)').click()")
        check(browser.js(f"sorted({way})"), f"{where}: latencies are not sorted {word}")


browser = Browser()
try:
    browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(DIR))
    target = browser.call("Target.createTarget", url="about:blank")["targetId"]
    browser.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    for domain in ("Page", "Runtime", "Network", "Log"):
        browser.call(f"{domain}.enable")
    use(browser, 1400, "light")
    use(browser, 400, "dark")
    pdf = base64.b64decode(browser.call("Page.printToPDF")["data"])
    check(pdf.startswith(b"%PDF") and pdf.count(b"/Type /Page\n") > 1, "the page does not print")
    for event in browser.events:
        method, params = event.get("method"), event.get("params", {})
        address = params.get("request", {}).get("url", "file:")
        check(address.split(":")[0] in ("file", "data", "blob", "about"), f"the page asks for {address}")
        check(method not in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"), f"the browser complains: {params}")
finally:
    browser.process.terminate()
    browser.process.wait()
print(*wrong, sep="\n", end="\n" if wrong else "")
sys.exit(bool(wrong))
