"""The client for asyncio. It sends its requests over aiohttp, which is loaded when it is used."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, AsyncIterator, Optional, Protocol, Tuple, Union

from ._core import (
    Answer,
    Call,
    Clock,
    Connect,
    Disconnect,
    Lost,
    Pause,
    Read,
    Reply,
    Request,
    Send,
    Step,
    Steps,
    Tell,
    call_steps,
    row_steps,
    settings_of,
)
from ._follow import Followed, FollowedChange, opening_steps, space_steps
from ._methods import AsyncMethods
from ._urllib import BlockingClock

if TYPE_CHECKING:
    import aiohttp


class AsyncStream(Protocol):
    """A connection that is read piece by piece."""

    async def read(self, within_ms: float) -> Union[bytes, Lost]:
        """The next bytes, none at the end."""

    async def close(self) -> None:
        """Ends the connection."""


class AsyncTransport(Protocol):
    """How requests travel. Give `AsyncClient` another one to send them in another way."""

    async def send(self, request: Request, within_ms: float) -> Union[Reply, Lost]:
        """Sends one request and reads its whole answer. Follows no redirect, and does not raise."""

    async def connect(
        self, request: Request, within_ms: float
    ) -> Tuple[Union[Reply, Lost], Optional[AsyncStream]]:
        """The same for a stream: with status 200, its body is read from the second value."""

    async def close(self) -> None:
        """The client is closed."""


class AsyncPausingClock(Clock, Protocol):
    """A clock that can wait."""

    async def pause(self, ms: float) -> None:
        """Waits."""


class AsyncClock(BlockingClock):
    """The real clock."""

    async def pause(self, ms: float) -> None:  # type: ignore[override]
        """Waits."""
        await asyncio.sleep(ms / 1000)


def _reply_of(response: aiohttp.ClientResponse, body: bytes) -> Reply:
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Reply(response.status, headers, body)


class _ResponseStream:
    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._response = response

    async def read(self, within_ms: float) -> Union[bytes, Lost]:
        """The next bytes, none at the end."""
        import aiohttp

        try:
            return await asyncio.wait_for(self._response.content.readany(), within_ms / 1000)
        except asyncio.TimeoutError:
            return Lost("nothing came", True)
        except (aiohttp.ClientError, OSError, ValueError) as error:
            return Lost(str(error) or type(error).__name__)

    async def close(self) -> None:
        """Ends the connection."""
        self._response.close()


class AiohttpTransport:
    """Requests over aiohttp. A session that you give stays open when the client is closed."""

    def __init__(self, session: Optional[aiohttp.ClientSession] = None) -> None:
        self._session = session
        self._is_own = session is None

    async def _open(
        self, request: Request, total_s: Optional[float]
    ) -> aiohttp.ClientResponse:
        import aiohttp
        from yarl import URL

        if self._session is None:
            self._session = aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar())
        return await self._session.request(
            request.method,
            URL(request.url, encoded=True),
            headers=dict(request.headers),
            data=request.body,
            # A redirect would send the key to another address, and turn a POST into a GET.
            allow_redirects=False,
            skip_auto_headers=["Content-Type"],
            timeout=aiohttp.ClientTimeout(total=total_s),
        )

    async def send(self, request: Request, within_ms: float) -> Union[Reply, Lost]:
        """Sends one request and reads its whole answer."""
        import aiohttp

        async def send() -> Reply:
            async with await self._open(request, None) as response:
                return _reply_of(response, await response.read())

        try:
            return await asyncio.wait_for(send(), within_ms / 1000)
        except asyncio.TimeoutError:
            return Lost("its time was over", True)
        except (aiohttp.ClientError, OSError, ValueError) as error:
            return Lost(str(error) or type(error).__name__)

    async def connect(
        self, request: Request, within_ms: float
    ) -> Tuple[Union[Reply, Lost], Optional[AsyncStream]]:
        """Sends the request of a stream."""
        import aiohttp

        async def connect() -> Tuple[Reply, Optional[AsyncStream]]:
            response = await self._open(request, None)
            if response.status == 200:
                return _reply_of(response, b""), _ResponseStream(response)
            async with response:
                return _reply_of(response, await response.read()), None

        try:
            return await asyncio.wait_for(connect(), within_ms / 1000)
        except asyncio.TimeoutError:
            return Lost("nothing came", True), None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            return Lost(str(error) or type(error).__name__), None

    async def close(self) -> None:
        """Closes the transport's own session."""
        session, self._session = self._session, None
        if session is not None and self._is_own:
            await session.close()


class _Hands:
    """Does the steps of one call."""

    def __init__(self, transport: AsyncTransport, clock: AsyncPausingClock) -> None:
        self._transport = transport
        self._clock = clock
        self._stream: Optional[AsyncStream] = None

    async def do(self, step: Step) -> object:
        """Does one step, and answers what came of it."""
        if isinstance(step, Send):
            return await self._transport.send(step.request, step.within_ms)
        if isinstance(step, Pause):
            await self._clock.pause(step.ms)
        elif isinstance(step, Connect):
            reply, self._stream = await self._transport.connect(step.request, step.within_ms)
            return reply
        elif isinstance(step, Read):
            return await self._stream.read(step.within_ms) if self._stream else b""
        elif isinstance(step, Disconnect):
            await self.close()
        return None

    async def close(self) -> None:
        """Closes what is open."""
        stream, self._stream = self._stream, None
        if stream is not None:
            await stream.close()


class AsyncClient(AsyncMethods):
    """A client for one Space, with one method for each operation: `Client` for asyncio.

    Use it as `async with AsyncClient(…) as client:`, or call `close` at the end.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        deadline_s: float = 120,
        tries: int = 4,
        transport: Optional[AsyncTransport] = None,
        clock: Optional[AsyncPausingClock] = None,
    ) -> None:
        self._clock = clock or AsyncClock()
        self._transport = transport or AiohttpTransport()
        self._settings = settings_of(base_url, api_key, deadline_s, tries, self._clock)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        await self._transport.close()

    async def _call(self, call: Call) -> Answer[Any]:
        steps = call_steps(self._settings, call)
        hands = _Hands(self._transport, self._clock)
        given: object = None
        while True:
            try:
                given = await hands.do(steps.send(given))
            except StopIteration as end:
                answer: Answer[Any] = end.value
                return answer

    async def _items(self, steps: Steps[None]) -> AsyncIterator[Any]:
        """Does the steps, and yields what they tell."""
        hands = _Hands(self._transport, self._clock)
        given: object = None
        try:
            while True:
                try:
                    step = steps.send(given)
                except StopIteration:
                    return
                given = None
                if isinstance(step, Tell):
                    yield step.item
                else:
                    given = await hands.do(step)
        finally:
            steps.close()
            await hands.close()

    def _each(self, call: Call, member: str) -> AsyncIterator[Any]:
        return self._items(row_steps(self._settings, call, member))

    def follow_opening(
        self,
        opening_id: str,
        *,
        last_event_id: Optional[str] = None,
        deadline_s: Optional[float] = None,
    ) -> AsyncIterator[Followed]:
        """The steps of an opening as they happen, until it has ended: see `Client`."""
        steps = opening_steps(self._settings, opening_id, last_event_id, deadline_s)
        return self._items(steps)

    def follow_space(
        self, *, last_event_id: Optional[str] = None, deadline_s: Optional[float] = None
    ) -> AsyncIterator[FollowedChange]:
        """The changes of the Space as they happen, without an end: see `Client`."""
        return self._items(space_steps(self._settings, last_event_id, deadline_s))
