"""Serve the admin on 127.0.0.1 until standard input ends, which it does when whoever started this is gone.

The data folder is ``REGISTRY_DATA``; the port taken is written to ``port`` in it. ``serve.py 8000`` takes that port.
"""

# mypy: disable-error-code="import-untyped"

import os
import sys
import threading
from pathlib import Path
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIServer, make_server

from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.wsgi import get_wsgi_application

HOST = "127.0.0.1"


class ThreadingServer(ThreadingMixIn, WSGIServer):
    """One thread per request."""

    daemon_threads = True
    request_queue_size = 128


def end_with_parent() -> None:
    """Whoever holds the other end of standard input is gone when it ends, however they went."""
    while os.read(sys.stdin.fileno(), 1024):
        pass
    os._exit(0)


def main() -> None:
    threading.Thread(target=end_with_parent, daemon=True).start()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "settings")
    app = StaticFilesHandler(get_wsgi_application())
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    with make_server(HOST, port, app, server_class=ThreadingServer) as server:
        written = Path(os.environ["REGISTRY_DATA"]) / "port.new"
        written.write_text(str(server.server_port))
        written.replace(written.with_name("port"))
        server.serve_forever()


if __name__ == "__main__":
    main()
