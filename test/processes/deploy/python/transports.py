"""Holds the real transports, over urllib and over aiohttp, against a server that does what a
service or a stranger may do. Prints what was found wrong: `python3 transports.py [aiohttp]`."""

from __future__ import annotations

import asyncio
import json
import pickle
import socket
import sys
import threading
import time
from typing import Any, Callable, Dict, List, Optional

from callgate import CallgateError, Client, Lost, Reply, Request, UrllibTransport
from callgate.aio import AiohttpTransport, AsyncClient

found: List[str] = []


def expect(is_so: bool, what: str) -> None:
    """Notes a fault."""
    if not is_so:
        found.append(what)


Serve = Callable[[socket.socket], None]


class Server:
    """Answers each connection as its path says. Keeps what was asked."""

    def __init__(self, plans: Dict[str, Serve]) -> None:
        self.asked: List[bytes] = []
        self._plans = plans
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            connection, _ = self._socket.accept()
            threading.Thread(target=self._serve, args=[connection], daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            piece = connection.recv(65_536)
            if not piece:
                return
            head += piece
        self.asked.append(head)
        path = head.split(b" ")[1].decode().split("?")[0]
        try:
            self._plans[path](connection)
        except OSError:
            pass
        connection.close()


def fixed(text: bytes) -> Serve:
    """Sends a text and closes."""
    return lambda connection: connection.sendall(text)


def drip(text: bytes, then: bytes) -> Serve:
    """Sends a text, then a byte now and then for ever."""

    def serve(connection: socket.socket) -> None:
        connection.sendall(text)
        while True:
            connection.sendall(then)
            time.sleep(0.05)

    return serve


def silent(text: bytes) -> Serve:
    """Sends a text, then nothing for ever."""

    def serve(connection: socket.socket) -> None:
        connection.sendall(text)
        connection.recv(1)

    return serve


OK = b"HTTP/1.1 200 OK\r\nConnection: close\r\n"
EVENT = b'id: 1\nevent: step\ndata: {"step":"asked","at":"2026"}\n\n'
PLANS: Dict[str, Serve] = {
    "/whole": fixed(OK + b"X-Request-Id: r1\r\nContent-Length: 2\r\n\r\n{}"),
    "/chunked": fixed(OK + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n"),
    "/none": fixed(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"),
    "/same": fixed(b"HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n"),
    "/refused": fixed(b"HTTP/1.1 404 No\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"),
    "/moved": fixed(
        b"HTTP/1.1 307 Moved\r\nConnection: close\r\nLocation: /whole\r\nContent-Length: 0\r\n\r\n"
    ),
    "/half": fixed(OK + b"Content-Length: 9\r\n\r\n{"),
    "/cut": fixed(b""),
    "/garbage": fixed(b"SSH-2.0-OpenSSH\r\n\r\n"),
    "/silent": silent(b""),
    "/silentBody": silent(OK + b"Content-Length: 9\r\n\r\n{"),
    "/dripHead": drip(OK + b"X: ", b"y"),
    "/dripBody": drip(OK + b"\r\n", b"y"),
    "/stream": silent(OK + b"Content-Type: text/event-stream\r\n\r\n" + EVENT),
    "/short": fixed(OK + b"\r\n" + EVENT),
    "/api/v1/gates": fixed(OK + b'Content-Length: 12\r\n\r\n{"gates":[]}'),
    "/api/v1/openings/open_1/events": fixed(OK + b"\r\n" + EVENT.replace(b"asked", b"ended")),
}


class Blocking:
    """The blocking transport, in the form of the other one."""

    def __init__(self) -> None:
        self._transport = UrllibTransport()

    async def send(self, request: Request, within_ms: float) -> Any:
        return self._transport.send(request, within_ms)

    async def connect(self, request: Request, within_ms: float) -> Any:
        reply, stream = self._transport.connect(request, within_ms)
        return reply, stream and BlockingStream(stream)

    async def close(self) -> None:
        pass


class BlockingStream:
    """The stream of the blocking transport, in the form of the other one."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def read(self, within_ms: float) -> Any:
        return self._stream.read(within_ms)

    async def close(self) -> None:
        self._stream.close()


async def check_answers(transport: Any, server: Server) -> None:
    """Whole answers, half ones and none."""
    base = f"http://127.0.0.1:{server.port}"

    async def send(path: str, method: str = "GET", body: Optional[bytes] = None) -> Any:
        headers = {"Idempotency-Key": "k", **({"Content-Type": "application/json"} if body else {})}
        return await transport.send(Request(method, base + path, headers, body), 5_000)

    whole = await send("/whole?a=a%26b*%7E+c", "PATCH", b'{"a":"\xc3\xbc"}')
    expect(whole.status == 200 and whole.body == b"{}", f"whole: {whole}")
    expect(whole.headers.get("x-request-id") == "r1", f"headers: {whole}")
    asked = server.asked[-1].lower()
    expect(asked.startswith(b"patch /whole?a=a%26b*%7e+c http/1.1\r\n"), f"asked {asked!r}")
    expect(b"idempotency-key: k\r\n" in asked, f"key {asked!r}")
    expect(asked.count(b"content-type: application/json\r\n") == 1, f"type {asked!r}")
    await send("/none", "POST")
    expect(b"content-type" not in server.asked[-1].lower(), f"no type {server.asked[-1]!r}")
    for path, status, body in [
        ("/chunked", 200, b"{}"),
        ("/none", 204, b""),
        ("/same", 304, b""),
        ("/refused", 404, b"{}"),
        ("/moved", 307, b""),
    ]:
        reply = await send(path)
        is_right = isinstance(reply, Reply) and (reply.status, reply.body) == (status, body)
        expect(is_right, f"{path}: {reply}")
    expect(len(server.asked) == 7, f"a redirect was followed: {len(server.asked)}")
    for path in ["/half", "/cut", "/garbage"]:
        lost = await send(path)
        expect(isinstance(lost, Lost) and not lost.is_late and lost.why != "", f"{path}: {lost}")
    closed = await transport.send(Request("GET", "http://127.0.0.1:1/", {}, None), 5_000)
    expect(isinstance(closed, Lost) and not closed.is_late, f"closed port: {closed}")


async def check_times(transport: Any, server: Server) -> None:
    """Every request ends in its time, whatever comes meanwhile."""
    for path in ["/silent", "/silentBody", "/dripHead", "/dripBody"]:
        began = time.monotonic()
        request = Request("GET", f"http://127.0.0.1:{server.port}{path}", {}, None)
        lost = await transport.send(request, 300)
        took = time.monotonic() - began
        expect(isinstance(lost, Lost) and lost.is_late, f"{path}: {lost}")
        expect(0.25 < took < 4, f"{path} took {took} s")


async def check_streams(transport: Any, server: Server) -> None:
    """A stream is read as it comes."""

    async def connect(path: str, within_ms: float = 5_000) -> Any:
        request = Request("GET", f"http://127.0.0.1:{server.port}{path}", {}, None)
        return await transport.connect(request, within_ms)

    async def first(stream: Any) -> bytes:
        text = b""
        while len(text) < len(EVENT):
            piece = await stream.read(5_000)
            expect(isinstance(piece, bytes) and piece != b"", f"piece: {piece}")
            text += piece
        return text

    reply, stream = await connect("/stream")
    expect(reply.status == 200, f"stream: {reply}")
    expect(await first(stream) == EVENT, "event")
    late = await stream.read(200)
    expect(isinstance(late, Lost) and late.is_late, f"silence: {late}")
    await stream.close()
    _, stream = await connect("/short")
    expect(await first(stream) == EVENT, "event")
    expect(await stream.read(5_000) == b"", "the end of a stream")
    await stream.close()
    reply, stream = await connect("/refused")
    expect(reply == Reply(404, reply.headers, b"{}") and stream is None, f"refused: {reply}")
    for path in ["/silent", "/dripHead"]:
        lost, stream = await connect(path, 300)
        expect(isinstance(lost, Lost) and lost.is_late and stream is None, f"{path}: {lost}")
    lost, stream = await connect("/cut")
    expect(isinstance(lost, Lost) and not lost.is_late and stream is None, f"/cut: {lost}")


def check_client(base: str) -> None:
    """The blocking client over the real transport and the real clock."""
    client = Client(base, "svc_live_x", tries=2)
    expect(client.list_gates().body == {"gates": []}, "list_gates")
    expect([one.step for one in client.follow_opening("open_1")] == ["ended"], "follow_opening")
    expect(list(client.each("list_gates")) == [], "each")
    try:
        client.list_gates(deadline_s=0)
        expect(False, "a deadline of no time")
    except CallgateError as error:
        expect(error.code == "deadline_exceeded", f"deadline: {error}")


def check_refusals(base: str) -> None:
    """What cannot be sent is said at once."""
    client = Client(base, "svc_live_x")
    calls: List[Callable[[], object]] = [
        lambda: client.open_gate("gate_1", idempotency_key="ü"),
        lambda: client.get_gate("gate_1", if_none_match="a\nb"),
        lambda: list(client.follow_opening("open_1", last_event_id="\r")),
        lambda: client.create_gate({"name": "a", "phoneNumber": object()}),  # type: ignore
    ]
    for call in calls:
        try:
            call()
            expect(False, "it was sent")
        except CallgateError as error:
            is_right = error.code == "invalid_input" and pickle.loads(pickle.dumps(error)).code
            expect(is_right == "invalid_input", f"refused: {error}")
    for wrong in [("gates.test", "k"), ("file:///x", "k"), (f"{base}/?a=1", "k"), (base, "a\nb")]:
        try:
            Client(*wrong)
            expect(False, f"{wrong} was taken")
        except ValueError:
            pass


async def check_async_client(base: str) -> None:
    """The same for asyncio."""
    async with AsyncClient(base, "svc_live_x", tries=2) as client:
        expect((await client.list_gates()).body == {"gates": []}, "list_gates")
        steps = [one.step async for one in client.follow_opening("open_1")]
        expect(steps == ["ended"], "follow_opening")
        expect([row async for row in client.each("list_gates")] == [], "each")
        task = asyncio.ensure_future(client.list_gates())
        task.cancel()
        try:
            await task
            expect(False, "a call that was cancelled")
        except asyncio.CancelledError:
            pass


async def main(is_aiohttp: bool) -> None:
    """Runs everything."""
    transport: Any = AiohttpTransport() if is_aiohttp else Blocking()
    await check_answers(transport, Server(PLANS))
    await check_times(transport, Server(PLANS))
    await check_streams(transport, Server(PLANS))
    await transport.close()
    base = f"http://127.0.0.1:{Server(PLANS).port}"
    if is_aiohttp:
        await check_async_client(base)
    else:
        check_client(base)
        check_refusals(base)
    print(json.dumps(found))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:] == ["aiohttp"]))
