from __future__ import annotations

import argparse
import signal
import sys
import threading

from examples.practice import start


def main() -> int:
    options = _options()
    try:
        site = start(port=options.port, host=options.host)
    except OSError as error:
        print(f"cannot listen on {options.host}:{options.port}: {error.strerror}", file=sys.stderr)
        return 1
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    print(f"practice site on {site.url}/", flush=True)
    stop.wait()
    site.stop()
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m examples.practice", description="Serve the practice site.")
    parser.add_argument("--port", type=int, default=8700)
    parser.add_argument("--host", default="127.0.0.1")
    return parser.parse_args()


sys.exit(main())
