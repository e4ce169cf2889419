"""The blocking client."""

from __future__ import annotations

from typing import Any, Generator, Iterator, Optional, Protocol, TypeVar

from ._core import (
    Answer,
    Call,
    Clock,
    Connect,
    Disconnect,
    Pause,
    Read,
    Send,
    Step,
    Steps,
    Tell,
    call_steps,
    row_steps,
    settings_of,
)
from ._follow import Followed, FollowedChange, opening_steps, space_steps
from ._methods import Methods
from ._urllib import BlockingClock, Stream, Transport, UrllibTransport

Result = TypeVar("Result")


class PausingClock(Clock, Protocol):
    """A clock that can wait."""

    def pause(self, ms: float) -> None:
        """Waits."""


class _Hands:
    """Does the steps of one call."""

    def __init__(self, transport: Transport, clock: PausingClock) -> None:
        self._transport = transport
        self._clock = clock
        self._stream: Optional[Stream] = None

    def do(self, step: Step) -> object:
        """Does one step, and answers what came of it."""
        if isinstance(step, Send):
            return self._transport.send(step.request, step.within_ms)
        if isinstance(step, Pause):
            self._clock.pause(step.ms)
        elif isinstance(step, Connect):
            reply, self._stream = self._transport.connect(step.request, step.within_ms)
            return reply
        elif isinstance(step, Read):
            return self._stream.read(step.within_ms) if self._stream else b""
        elif isinstance(step, Disconnect):
            self.close()
        return None

    def close(self) -> None:
        """Closes what is open."""
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()


class Client(Methods):
    """A client for one Space, with one method for each operation.

    `base_url` is the address of the service, such as `https://gates.example.com`; `/api/v1` at its
    end is fine too. `deadline_s` is for one call with all its tries and pauses. `tries` is how many
    times one request is sent, at most; 1 for no retries. Raises ValueError when `base_url` is not
    an address or `api_key` is not valid in a header. Threads may share a client.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        deadline_s: float = 120,
        tries: int = 4,
        transport: Optional[Transport] = None,
        clock: Optional[PausingClock] = None,
    ) -> None:
        self._clock = clock or BlockingClock()
        self._transport = transport or UrllibTransport()
        self._settings = settings_of(base_url, api_key, deadline_s, tries, self._clock)

    def _run(self, steps: Steps[Result]) -> Generator[Any, None, Result]:
        """Does the steps. Yields what they tell, and returns what they return."""
        hands = _Hands(self._transport, self._clock)
        given: object = None
        try:
            while True:
                try:
                    step = steps.send(given)
                except StopIteration as end:
                    result: Result = end.value
                    return result
                given = None
                if isinstance(step, Tell):
                    yield step.item
                else:
                    given = hands.do(step)
        finally:
            steps.close()
            hands.close()

    def _call(self, call: Call) -> Answer[Any]:
        run = self._run(call_steps(self._settings, call))
        while True:
            try:
                next(run)
            except StopIteration as end:
                answer: Answer[Any] = end.value
                return answer

    def _each(self, call: Call, member: str) -> Iterator[Any]:
        return self._run(row_steps(self._settings, call, member))

    def follow_opening(
        self,
        opening_id: str,
        *,
        last_event_id: Optional[str] = None,
        deadline_s: Optional[float] = None,
    ) -> Iterator[Followed]:
        """The steps of an opening as they happen, until it has ended; needs the scope
        `history:read`.

        Where the connection is lost, it connects again and goes on after the last event. Raises
        CallgateError where it cannot go on. `last_event_id` is the `id` of the last event that
        you have had.
        """
        steps = opening_steps(self._settings, opening_id, last_event_id, deadline_s)
        return self._run(steps)

    def follow_space(
        self, *, last_event_id: Optional[str] = None, deadline_s: Optional[float] = None
    ) -> Iterator[FollowedChange]:
        """The changes of the Space as they happen, without an end; needs the scope `history:read`.

        `break`, or `deadline_s` with the code `deadline_exceeded`, ends it. Where the connection is
        lost, it connects again and goes on after the last event. The first item of a stream that
        begins without `last_event_id` has `has_missed`: read again what you keep.
        """
        return self._run(space_steps(self._settings, last_event_id, deadline_s))
