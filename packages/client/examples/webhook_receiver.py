"""Receives webhooks, and prints each event once: `python3 webhook_receiver.py [PORT]`, with the
secret in WEBHOOK_SECRET. It says on its first line where it listens. Put a proxy with TLS before
it."""

from __future__ import annotations

import os
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Set

from callgate import WebhookError, verify_webhook

# During a rotation both, with a blank between them.
SECRETS = os.environ["WEBHOOK_SECRET"].split()
MOST_BYTES = 65_536


class Receiver(BaseHTTPRequestHandler):
    """Answers one webhook. A real receiver keeps the ids in its database."""

    seen: Set[str] = set()

    def do_POST(self) -> None:
        """Verifies before anything else is done, and answers soon."""
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            self.answer(400)
            return
        body = self.rfile.read(int(length))
        try:
            webhook = verify_webhook(body, self.headers, SECRETS)
        except WebhookError as error:
            print(f"refused: {error.code}", flush=True)
            self.answer(400)
            return
        # The same event can come twice, with the same id.
        if webhook.id not in self.seen:
            self.seen.add(webhook.id)
            print(webhook.event["sequence"], webhook.event["type"], flush=True)
        self.answer(204)

    def answer(self, status: int) -> None:
        """Answers without a body."""
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Writes no log of requests."""


if __name__ == "__main__":
    server = HTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), Receiver)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
