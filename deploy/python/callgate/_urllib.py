"""The requests of the blocking client, over urllib. Nothing follows a redirect: it would send the
key to another address, and turn a POST into a GET."""

from __future__ import annotations

import http.client
import random
import socket
import ssl
import threading
import time
import urllib.error
import urllib.request
import uuid
from functools import partial
from typing import Any, Mapping, Optional, Protocol, Tuple, Union

from ._core import Lost, Reply, Request


class BlockingClock:
    """The real clock."""

    def now_ms(self) -> float:
        return time.monotonic() * 1000

    def random(self) -> float:
        return random.random()

    def new_key(self) -> str:
        return str(uuid.uuid4())

    def pause(self, ms: float) -> None:
        """Waits."""
        time.sleep(ms / 1000)


class Stream(Protocol):
    """A connection that is read piece by piece."""

    def read(self, within_ms: float) -> Union[bytes, Lost]:
        """The next bytes, none at the end."""

    def close(self) -> None:
        """Ends the connection."""


class Transport(Protocol):
    """How requests travel. Give `Client` another one to send them in another way."""

    def send(self, request: Request, within_ms: float) -> Union[Reply, Lost]:
        """Sends one request and reads its whole answer. Follows no redirect, and does not raise."""

    def connect(
        self, request: Request, within_ms: float
    ) -> Tuple[Union[Reply, Lost], Optional[Stream]]:
        """The same for a stream: with status 200, its body is read from the second value."""


class _Watch:
    """Ends a request when its time is over. A timeout of a socket is for one read alone: without
    the watch, a byte now and then would hold a request for ever."""

    def __init__(self, within_ms: float) -> None:
        self.is_late = False
        self._socket: Optional[socket.socket] = None
        self._timer = threading.Timer(within_ms / 1000, self._expire)
        self._timer.daemon = True
        self._timer.start()

    def see(self, connected: socket.socket) -> None:
        """The socket of the request."""
        self._socket = connected
        if self.is_late:
            self._shut()

    def limit(self, within_ms: float) -> None:
        """Each read may take this long."""
        if self._socket is not None:
            self._socket.settimeout(_seconds(within_ms))

    def end(self) -> None:
        """The request is over, or is limited by its reads from now on."""
        self._timer.cancel()

    def _expire(self) -> None:
        self.is_late = True
        self._shut()

    def _shut(self) -> None:
        if self._socket is None:
            return
        try:
            # Also of a TLS connection: another thread may be reading it.
            socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
        except OSError:
            pass


class _Connection(http.client.HTTPConnection):
    def __init__(self, host: str, *args: Any, watch: _Watch, **more: Any) -> None:
        super().__init__(host, *args, **more)
        self._watch = watch

    def connect(self) -> None:
        super().connect()
        self._watch.see(self.sock)


class _SecureConnection(http.client.HTTPSConnection):
    def __init__(self, host: str, *args: Any, watch: _Watch, **more: Any) -> None:
        super().__init__(host, *args, **more)
        self._watch = watch

    def connect(self) -> None:
        super().connect()
        self._watch.see(self.sock)


class _Handler(urllib.request.HTTPHandler):
    def __init__(self, watch: _Watch) -> None:
        super().__init__()
        self._watch = watch

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(_Connection, watch=self._watch), req)


class _SecureHandler(urllib.request.HTTPSHandler):
    def __init__(self, watch: _Watch, tls: ssl.SSLContext) -> None:
        super().__init__()
        self._watch = watch
        self._tls = tls

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        made = partial(_SecureConnection, context=self._tls, watch=self._watch)
        return self.do_open(made, req)


def _seconds(ms: float) -> float:
    # No time at all would mean a socket that never waits.
    return max(ms, 1) / 1000


def _headers_of(response: http.client.HTTPResponse) -> Mapping[str, str]:
    return {name.lower(): value for name, value in response.getheaders()}


def _lost(error: Exception, watch: _Watch) -> Lost:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    is_late = watch.is_late or isinstance(reason, socket.timeout)
    return Lost(str(reason) or type(reason).__name__, is_late)


# A connection that the watch has cut can look like the end of an answer.
_OVER = Lost("its time was over", True)
_FAULTS = (OSError, http.client.HTTPException, ValueError)


class _ResponseStream:
    def __init__(self, response: http.client.HTTPResponse, watch: _Watch) -> None:
        self._response = response
        self._watch = watch

    def read(self, within_ms: float) -> Union[bytes, Lost]:
        """The next bytes, none at the end."""
        try:
            self._watch.limit(within_ms)
            return self._response.read1(65_536)
        except _FAULTS as error:
            return _lost(error, self._watch)

    def close(self) -> None:
        """Ends the connection."""
        self._response.close()


class UrllibTransport:
    """Requests over urllib. The variables `https_proxy` and `no_proxy` hold, as in all Python."""

    def __init__(self, tls: Optional[ssl.SSLContext] = None) -> None:
        self._tls = tls

    def _open(
        self, request: Request, within_ms: float, watch: _Watch
    ) -> http.client.HTTPResponse:
        if self._tls is None:
            self._tls = ssl.create_default_context()
        # Without the handlers of urllib that follow redirects and raise for a status.
        opener = urllib.request.OpenerDirector()
        for handler in (
            urllib.request.ProxyHandler(),
            urllib.request.UnknownHandler(),
            _Handler(watch),
            _SecureHandler(watch, self._tls),
        ):
            opener.add_handler(handler)
        sent = urllib.request.Request(
            request.url, request.body, dict(request.headers), method=request.method
        )
        response = opener.open(sent, timeout=_seconds(within_ms))
        if not isinstance(response, http.client.HTTPResponse):
            raise ValueError("no answer of HTTP")
        return response

    def send(self, request: Request, within_ms: float) -> Union[Reply, Lost]:
        """Sends one request and reads its whole answer."""
        watch = _Watch(within_ms)
        try:
            with self._open(request, within_ms, watch) as response:
                reply = Reply(response.status, _headers_of(response), response.read())
        except _FAULTS as error:
            return _lost(error, watch)
        finally:
            watch.end()
        return _OVER if watch.is_late else reply

    def connect(
        self, request: Request, within_ms: float
    ) -> Tuple[Union[Reply, Lost], Optional[Stream]]:
        """Sends the request of a stream."""
        watch = _Watch(within_ms)
        try:
            response = self._open(request, within_ms, watch)
            if response.status == 200 and not watch.is_late:
                return Reply(200, _headers_of(response), b""), _ResponseStream(response, watch)
            with response:
                reply = Reply(response.status, _headers_of(response), response.read())
            return (_OVER if watch.is_late else reply), None
        except _FAULTS as error:
            return _lost(error, watch), None
        finally:
            watch.end()
