"""Follows an opening or a Space: reads a stream of events, and connects again when the connection
is lost. Pure, as `_core.py` is."""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Generic,
    List,
    Mapping,
    Optional,
    TypeVar,
    Union,
)

from ._core import (
    INFINITE_MS,
    Call,
    CallgateError,
    Connect,
    Disconnect,
    Lost,
    Pause,
    Read,
    Reply,
    Request,
    Settings,
    Steps,
    Tell,
    is_worth_another_try,
    problem_of,
    request_of,
    wait_ms,
)

if TYPE_CHECKING:
    from ._types import OpeningStep

SILENT_MS = 45_000
"""The service sends something every 15 s. After three times this silence the connection is lost."""

LONGEST = 65_536
"""Our events have some 200 characters. What is longer is no stream of ours."""


@dataclass(frozen=True)
class Followed:
    """An event of an opening that is followed: one step."""

    id: str
    """The number of the event, for `last_event_id`."""
    step: Union[OpeningStep, str]
    at: str
    """When it happened (RFC 3339)."""
    has_missed: bool
    """Earlier events are missing: this is the newest step. Read the opening, if you need more."""


@dataclass(frozen=True)
class FollowedChange:
    """A change in a Space that is followed."""

    id: str
    """The number of the event as a text, for `last_event_id`."""
    type: str
    """Such as `opening.ended` or `member.created`. Tolerate types that you do not know."""
    timestamp: str
    """When it happened (RFC 3339)."""
    sequence: int
    data: Mapping[str, Optional[str]]
    """What it is about: `targetId`, `gateId`, `memberId`. Read the thing itself."""
    has_missed: bool
    """Events before it are missing: read everything again that you keep."""


@dataclass(frozen=True)
class TextEvent:
    """One event of the stream."""

    id: str
    event: str
    data: str


class EventReader:
    """Reads server-sent events (WHATWG HTML, 9.2.6), however their bytes are cut."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    def read(self, piece: bytes) -> List[TextEvent]:
        """The events that are complete with the next bytes. Raises where they are none of ours."""
        *blocks, self._rest = (self._rest + self._decoder.decode(piece)).split("\n\n")
        if len(self._rest) > LONGEST:
            raise ValueError("an event is too long")
        return [event for event in map(_event_of, blocks) if event is not None]


def _event_of(block: str) -> Optional[TextEvent]:
    found = (re.match(r"([A-Za-z0-9_]+): ?(.*)$", line) for line in block.split("\n"))
    fields: Dict[str, str] = {match[1]: match[2] for match in found if match}
    if "data" not in fields or "id" not in fields:
        return None
    return TextEvent(fields["id"], fields.get("event", "message"), fields["data"])


Item = TypeVar("Item", Followed, FollowedChange)


@dataclass(frozen=True)
class Reading(Generic[Item]):
    """How a stream is read."""

    read: Callable[[TextEvent], Item]
    """What an event tells. Raises where the text is not one."""
    is_last: Callable[[Item], bool]
    """Whether nothing comes after it."""
    end: str
    """What the stream has not reached when its connection is lost."""
    is_endless: bool
    """Whether it goes on for ever, so that no number of lost connections ends it."""


def _step_of(event: TextEvent) -> Followed:
    told = json.loads(event.data)
    return Followed(event.id, told["step"], told["at"], event.event == "reset")


def _change_of(event: TextEvent) -> FollowedChange:
    told = json.loads(event.data)
    return FollowedChange(
        event.id,
        told["type"],
        told["timestamp"],
        told["sequence"],
        told["data"],
        event.event == "reset",
    )


_STEPS: Reading[Followed] = Reading(
    _step_of, lambda told: told.step == "ended", "the opening had ended", False
)
_CHANGES: Reading[FollowedChange] = Reading(
    _change_of, lambda _: False, "the caller ended it", True
)


class _Place:
    """The last event, and how many connections in a row have brought nothing."""

    def __init__(self, last_event_id: Optional[str]) -> None:
        self.last_event_id = last_event_id
        self.attempt = 1


def _read_once(
    settings: Settings, reading: Reading[Any], request: Request, place: _Place, end_ms: float
) -> Steps[Optional[CallgateError]]:
    """Reads one connection to its end. Answers how it was lost; None where the stream has ended."""
    clock = settings.clock

    def within_ms() -> float:
        return max(0.0, min(SILENT_MS, end_ms - clock.now_ms()))

    reply: Union[Reply, Lost] = yield Connect(request, within_ms())
    if isinstance(reply, Lost):
        return CallgateError("network_error", f"The connection was lost: {reply.why}.")
    if reply.status == 204:
        return None
    if reply.status != 200:
        return problem_of(reply)
    reader = EventReader()
    while True:
        piece: Union[bytes, Lost] = yield Read(within_ms())
        if isinstance(piece, Lost):
            return CallgateError("network_error", f"The connection was lost: {piece.why}.")
        if not piece:
            message = f"The connection was lost before {reading.end}."
            return CallgateError("network_error", message)
        # A connection that has carried anything has worked, also where nothing happened meanwhile.
        place.attempt = 1
        try:
            events = reader.read(piece)
        except ValueError as error:
            return CallgateError("network_error", f"The connection was lost: {error}.")
        for event in events:
            try:
                item = reading.read(event)
            except (ValueError, KeyError, TypeError) as error:
                message = f"The connection was lost: {error!r} in an event."
                return CallgateError("network_error", message)
            place.last_event_id = item.id
            yield Tell(item)
            if reading.is_last(item):
                return None


def _follow_steps(
    settings: Settings,
    reading: Reading[Any],
    request: Request,
    last_event_id: Optional[str],
    deadline_ms: float,
) -> Steps[None]:
    """Tells the items of a stream until its end. Raises CallgateError where it cannot go on."""
    clock = settings.clock
    end_ms = clock.now_ms() + deadline_ms
    place = _Place(last_event_id)
    while True:
        headers = {**request.headers, "Accept": "text/event-stream"}
        if place.last_event_id is not None:
            headers["Last-Event-ID"] = place.last_event_id
        connected = Request(request.method, request.url, headers, None)
        lost = yield from _read_once(settings, reading, connected, place, end_ms)
        yield Disconnect()
        if lost is None:
            return
        delay_ms = wait_ms(place.attempt, lost.retry_after_s, clock.random())
        is_late = clock.now_ms() + delay_ms >= end_ms
        if is_late and lost.code == "network_error":
            message = f"The deadline came before {reading.end}."
            raise CallgateError("deadline_exceeded", message)
        is_over = place.attempt >= settings.tries and not reading.is_endless
        if is_late or not is_worth_another_try(lost) or is_over:
            raise lost
        yield Pause(delay_ms)
        place.attempt += 1


def opening_steps(
    settings: Settings, opening_id: str, last_event_id: Optional[str], deadline_s: Optional[float]
) -> Steps[None]:
    """Tells each step of an opening, until it has ended."""
    path, headers = "/api/v1/openings/{opening_id}/events", {"Last-Event-ID": last_event_id}
    request = request_of(settings, Call("GET", path, {"opening_id": opening_id}, headers=headers))
    deadline_ms = settings.deadline_ms if deadline_s is None else deadline_s * 1000
    yield from _follow_steps(settings, _STEPS, request, last_event_id, deadline_ms)


def space_steps(
    settings: Settings, last_event_id: Optional[str], deadline_s: Optional[float]
) -> Steps[None]:
    """Tells each change of the Space, without an end and, by default, without a deadline."""
    headers = {"Last-Event-ID": last_event_id}
    request = request_of(settings, Call("GET", "/api/v1/events/stream", {}, headers=headers))
    deadline_ms = INFINITE_MS if deadline_s is None else deadline_s * 1000
    yield from _follow_steps(settings, _CHANGES, request, last_event_id, deadline_ms)
