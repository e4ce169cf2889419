"""The pure part of the client: requests, answers, and what is sent again. It has no clock and no
network.

A call is a generator. It yields what has to be done (`Send`, `Pause`) and is sent what came of it.
The two clients do the same steps, one with blocking functions and one with asyncio.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Generator,
    Generic,
    List,
    Mapping,
    Optional,
    Protocol,
    TypeVar,
    Union,
)
from urllib.parse import urlencode, urlsplit

if TYPE_CHECKING:
    from ._types import ProblemCode, Reason

Body = TypeVar("Body")
Item = TypeVar("Item")

INFINITE_MS = float("inf")


class Clock(Protocol):
    """Time and randomness. Tests pass their own."""

    def now_ms(self) -> float:
        """Milliseconds since an arbitrary start. Never goes back."""

    def random(self) -> float:
        """From 0 up to, but not including, 1."""

    def new_key(self) -> str:
        """A new Idempotency-Key."""


@dataclass(frozen=True)
class Request:
    """A request, ready to be sent."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: Optional[bytes]


@dataclass(frozen=True)
class Reply:
    """What came back. The names of the headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Lost:
    """Nothing came back, or half of it."""

    why: str
    is_late: bool = False


@dataclass(frozen=True)
class Send:
    """Send the request, and read its whole answer: a `Reply`, or `Lost` after `within_ms`."""

    request: Request
    within_ms: float


@dataclass(frozen=True)
class Pause:
    """Wait."""

    ms: float


@dataclass(frozen=True)
class Connect:
    """Send the request of a stream. A `Reply` with status 200 has no body yet: it is read by
    `Read`."""

    request: Request
    within_ms: float


@dataclass(frozen=True)
class Read:
    """Read the next bytes of the stream, none at its end, or `Lost` after `within_ms`."""

    within_ms: float


@dataclass(frozen=True)
class Disconnect:
    """Close the stream."""


@dataclass(frozen=True)
class Tell(Generic[Item]):
    """Give an item to the caller."""

    item: Item


Step = Union[Send, Pause, Connect, Read, Disconnect, Tell[Any]]
Steps = Generator[Step, Any, Body]


@dataclass(frozen=True)
class Answer(Generic[Body]):
    """What an operation has answered."""

    body: Body
    """As the API gives it. None where the operation answers nothing (204)."""
    status: int
    etag: Optional[str]
    """The state of a single resource, for `if_match`. None where there is none."""
    request_id: Optional[str]
    """Names this answer in the service's log."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with one of several items."""

    index: int
    """The place of the item, from 0."""
    message: str


class CallgateError(Exception):
    """A call that did not succeed: a refusal of the service, or a failure on the way to it."""

    code: Union[ProblemCode, str]
    """A code of the API, or the client's own: `network_error`, `deadline_exceeded`,
    `unexpected_answer`, `invalid_input`, `not_modified`. Tolerate codes that you do not know."""
    message: str
    """What happened, for a person."""
    status: Optional[int]
    """The HTTP status. None when no answer came."""
    request_id: Optional[str]
    """Names the answer in the service's log."""
    reason: Union[Reason, str, None]
    """With `open_failed`: how the opening ended. Tolerate words that you do not know."""
    opening_id: Optional[str]
    """With `open_failed`: the opening."""
    safe_to_retry: bool
    """With `open_failed`: true only when nothing moved and pressing again within a minute can
    help."""
    existing_id: Optional[str]
    """With `conflict`: the one that has the `externalId` already."""
    faults: List[Fault]
    """With `validation_error`, where several things were sent at once: what is wrong."""
    retry_after_s: Optional[float]
    """Seconds after which the service takes another request. None when it does not say so."""
    idempotency_key: Optional[str]
    """The key of the last request: with it, the service carries the same call out only once."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        retry_after_s: Optional[float] = None,
    ) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.status = status
        self.request_id = request_id
        self.reason = None
        self.opening_id = None
        self.safe_to_retry = False
        self.existing_id = None
        self.faults = []
        self.retry_after_s = retry_after_s
        self.idempotency_key = None

    def __str__(self) -> str:
        return f"{self.reason or self.code}: {self.message}"


# ---- What is sent again ----

PRESS_WITHIN_MS = 15_000
"""A gate is opened soon after its press or not at all, because the person may have left later. So
no try of an opening begins after this time: it could be the first one that reaches the service."""

BETWEEN_OPENINGS_MS = 10_000
"""The pause before a gate is called again: a busy number needs about 10 seconds, for example."""


def is_worth_another_try(failure: CallgateError) -> bool:
    """Whether the same request may be sent again. Every request of the client is harmless to
    repeat: GET and DELETE by nature, POST and PATCH by their Idempotency-Key. `open_failed` is an
    outcome that the service keeps for the key."""
    if failure.code in ("network_error", "rate_limited"):
        return True
    if failure.code in ("open_failed", "deadline_exceeded"):
        return False
    return failure.status is not None and failure.status >= 500


def is_worth_another_press(failure: CallgateError) -> bool:
    """The same for an opening. It is not sent again after its rate limit: the person may have left
    by then."""
    return failure.code != "rate_limited" and is_worth_another_try(failure)


def is_worth_another_opening(failure: CallgateError) -> bool:
    """Whether the gate may be called again: only when the service says that nothing moved and that
    it can help."""
    return failure.code == "open_failed" and failure.safe_to_retry


def wait_ms(attempt: int, retry_after_s: Optional[float], random: float) -> float:
    """Milliseconds before try number `attempt` + 1. They grow exponentially, with a jitter of one
    half, so that many clients do not come back together. The try is never sooner than the service
    said."""
    full_ms = min(15_000.0, 500 * 2.0 ** min(attempt - 1, 5))
    backoff_ms = full_ms * (0.5 + random / 2)
    return backoff_ms if retry_after_s is None else retry_after_s * 1000 + backoff_ms * 0.1


@dataclass(frozen=True)
class Patience:
    """The time limits of an operation."""

    try_within_ms: float
    begin_within_ms: float
    is_worth_another: Callable[[CallgateError], bool]


PATIENT = Patience(20_000, INFINITE_MS, is_worth_another_try)
NOW_OR_NEVER = Patience(60_000, PRESS_WITHIN_MS, is_worth_another_press)
"""For an opening, which is answered within 50 s."""


# ---- Requests ----


@dataclass(frozen=True)
class Settings:
    """What all calls of a client have in common."""

    base: str
    api_key: str
    deadline_ms: float
    tries: int
    clock: Clock


def settings_of(
    base_url: str, api_key: str, deadline_s: float, tries: int, clock: Clock
) -> Settings:
    """The settings. Raises ValueError where the address or the key is none, which is a mistake in
    the program."""
    parts = urlsplit(base_url)
    if parts.scheme.lower() not in ("http", "https") or not parts.netloc:
        raise ValueError("base_url must be an address such as https://gates.example.com")
    if parts.query or parts.fragment:
        raise ValueError("base_url must end with its path: leave out ? and #")
    if not re.fullmatch(r"[\x21-\x7e]+", api_key):
        raise ValueError("api_key must be the API key, svc_live_…")
    base = re.sub(r"/api/v1$", "", base_url.rstrip("/")).rstrip("/")
    return Settings(base, api_key, deadline_s * 1000, tries, clock)


@dataclass(frozen=True)
class Call:
    """A call of one operation."""

    method: str
    path: str
    """Such as `/api/v1/gates/{gate_id}`."""
    ids: Mapping[str, object]
    query: Optional[Mapping[str, object]] = None
    body: Optional[object] = None
    headers: Mapping[str, Optional[str]] = field(default_factory=dict)
    idempotency_key: Optional[str] = None
    retry_open: int = 0
    deadline_s: Optional[float] = None
    is_press: bool = False


def _text_of(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _search_of(query: Optional[Mapping[str, object]]) -> str:
    pairs = [(name, _text_of(value)) for name, value in (query or {}).items() if value is not None]
    # As browsers write it: `*` stays as it is, and `~` does not.
    text = urlencode(pairs, safe="*").replace("~", "%7E")
    return f"?{text}" if text else ""


def _json_of(body: object) -> bytes:
    try:
        text = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        message = f"The body cannot be written as JSON: {error}. Nothing was sent."
        raise CallgateError("invalid_input", message) from error
    # Half a surrogate pair cannot be UTF-8. Its escape is valid JSON.
    return text.encode("utf-8", "backslashreplace")


def _header(name: str, value: str) -> str:
    if not re.fullmatch(r"[\x20-\x7e]*", value):
        message = f"{name} cannot be sent as a header. Nothing was sent."
        raise CallgateError("invalid_input", message)
    return value


def request_of(settings: Settings, call: Call) -> Request:
    """The request of a call, without its Idempotency-Key."""
    for name, value in call.ids.items():
        if value is None or value == "":
            raise CallgateError("invalid_input", f"{name} is missing. Nothing was sent.")
        # Other characters could lead to another path.
        if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z0-9_-]+", value):
            message = f"{name} must be an id as the API gives it. Nothing was sent."
            raise CallgateError("invalid_input", message)
    headers = {"Authorization": f"Bearer {settings.api_key}", "Accept": "application/json"}
    body = None if call.body is None else _json_of(call.body)
    if body is not None:
        headers["Content-Type"] = "application/json"
    for name, given in call.headers.items():
        if given is not None:
            headers[name] = _header(name, given)
    url = f"{settings.base}{call.path.format(**call.ids)}{_search_of(call.query)}"
    return Request(call.method, url, headers, body)


# ---- Answers ----


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def parse(body: bytes) -> object:
    """The value of a JSON text; None where it is none."""
    try:
        text = body.decode("utf-8-sig", "replace")
        value: object = json.loads(text, parse_constant=_refuse_constant)
        return value
    except (ValueError, RecursionError):
        return None


def _text_or_none(value: object) -> Optional[str]:
    return value if isinstance(value, str) else None


def _faults_of(value: object) -> List[Fault]:
    found: List[Fault] = []
    for one in value if isinstance(value, list) else []:
        index = one.get("index") if isinstance(one, dict) else None
        message = one.get("message") if isinstance(one, dict) else None
        if type(index) is int and isinstance(message, str):
            found.append(Fault(index, message))
    return found


def no_answer_of_the_api(
    status: int, request_id: Optional[str], retry_after_s: Optional[float] = None
) -> CallgateError:
    """The failure of an answer that cannot be from the service."""
    message = f"The answer (status {status}) is not one of the API. Does base_url lead to it?"
    return CallgateError(
        "unexpected_answer",
        message,
        status=status,
        request_id=request_id,
        retry_after_s=retry_after_s,
    )


def problem_of(reply: Reply) -> CallgateError:
    """The failure that an unsuccessful answer of the service describes."""
    # The service sends no dates.
    after = reply.headers.get("retry-after", "")
    retry_after_s = int(after) if re.fullmatch(r"[0-9]{1,9}", after) else None
    request_id = reply.headers.get("x-request-id")
    body = parse(reply.body)
    error = body.get("error") if isinstance(body, dict) else None
    code = error.get("code") if isinstance(error, dict) else None
    if not isinstance(error, dict) or not isinstance(code, str):
        return no_answer_of_the_api(reply.status, request_id, retry_after_s)
    problem = CallgateError(
        code,
        _text_or_none(error.get("message")) or "",
        status=reply.status,
        request_id=request_id,
        retry_after_s=retry_after_s,
    )
    problem.reason = _text_or_none(error.get("reason"))
    problem.opening_id = _text_or_none(error.get("openingId"))
    # A gate may be called again only when the service says so itself.
    problem.safe_to_retry = error.get("safeToRetry") is True
    problem.existing_id = _text_or_none(error.get("existingId"))
    problem.faults = _faults_of(error.get("faults"))
    return problem


def result_of(reply: Reply) -> Union[Answer[Any], CallgateError]:
    """What the answer to a request means."""
    request_id = reply.headers.get("x-request-id")
    if reply.status == 304:
        message = "Nothing has changed since the state that if_none_match names."
        return CallgateError("not_modified", message, status=304, request_id=request_id)
    if not 200 <= reply.status < 300:
        return problem_of(reply)
    body = parse(reply.body) if reply.body else None
    if reply.body and not isinstance(body, dict):
        return no_answer_of_the_api(reply.status, request_id)
    return Answer(body, reply.status, reply.headers.get("etag"), request_id)


# ---- Calls ----


def _try_once(
    clock: Clock, request: Request, end_ms: float, within_ms: float
) -> Steps[Union[Answer[Any], CallgateError]]:
    """Sends the request once. The try ends after `within_ms`, or with the call."""
    left_ms = end_ms - clock.now_ms()
    reply: Union[Reply, Lost] = yield Send(request, min(within_ms, left_ms))
    if isinstance(reply, Reply):
        return result_of(reply)
    if not reply.is_late:
        return CallgateError("network_error", f"No answer came: {reply.why}.")
    if left_ms <= within_ms:
        return CallgateError("deadline_exceeded", "No answer came before the deadline.")
    return CallgateError("network_error", f"No answer came within {within_ms} ms.")


def _may_go_on(
    clock: Clock, end_ms: float, delay_ms: float, begin_before_ms: float = INFINITE_MS
) -> Steps[bool]:
    """Waits until the next try. Answers false at once when it would be too late."""
    if clock.now_ms() + delay_ms >= min(end_ms, begin_before_ms):
        return False
    yield Pause(delay_ms)
    return True


def _send_patiently(
    settings: Settings, request: Request, end_ms: float, patience: Patience
) -> Steps[Union[Answer[Any], CallgateError]]:
    """Sends one request until it is answered, at most `tries` times, always with the same
    Idempotency-Key."""
    clock = settings.clock
    begin_before_ms = clock.now_ms() + patience.begin_within_ms
    attempt = 1
    while True:
        result = yield from _try_once(clock, request, end_ms, patience.try_within_ms)
        if isinstance(result, Answer) or not patience.is_worth_another(result):
            return result
        if attempt >= settings.tries:
            return result
        delay_ms = wait_ms(attempt, result.retry_after_s, clock.random())
        if not (yield from _may_go_on(clock, end_ms, delay_ms, begin_before_ms)):
            return result
        attempt += 1


def call_steps(settings: Settings, call: Call) -> Steps[Answer[Any]]:
    """The steps of one call. Raises CallgateError where it does not succeed."""
    clock = settings.clock
    request = request_of(settings, call)
    deadline_ms = settings.deadline_ms if call.deadline_s is None else call.deadline_s * 1000
    end_ms = clock.now_ms() + deadline_ms
    patience = NOW_OR_NEVER if call.is_press else PATIENT
    is_repeatable = call.method in ("POST", "PATCH")
    own_key = call.idempotency_key
    if own_key is None and is_repeatable:
        own_key = clock.new_key()
    opening = 1
    while True:
        # Another opening needs another key. It is derived from the first one: when the caller
        # repeats the whole call with the same key, it takes the same steps.
        key = own_key if opening == 1 else f"{own_key}-{opening}"
        keyed = request
        if key is not None:
            headers = {**request.headers, "Idempotency-Key": _header("Idempotency-Key", key)}
            keyed = Request(request.method, request.url, headers, request.body)
        result = yield from _send_patiently(settings, keyed, end_ms, patience)
        if isinstance(result, Answer):
            return result
        result.idempotency_key = key
        if not is_worth_another_opening(result) or opening > call.retry_open:
            raise result
        if not (yield from _may_go_on(clock, end_ms, BETWEEN_OPENINGS_MS)):
            raise result
        opening += 1


def row_steps(settings: Settings, call: Call, member: str) -> Steps[None]:
    """The rows of a list by its cursors, a page at a time."""
    cursor: object = ""
    while isinstance(cursor, str):
        query: Dict[str, object] = {**(call.query or {}), "cursor": cursor}
        page_call = Call(call.method, call.path, {}, query=query, deadline_s=call.deadline_s)
        page = yield from call_steps(settings, page_call)
        body = page.body if isinstance(page.body, dict) else {}
        rows, pagination = body.get(member), body.get("pagination")
        if not isinstance(rows, list):
            raise no_answer_of_the_api(page.status, page.request_id)
        for row in rows:
            yield Tell(row)
        cursor = pagination.get("nextCursor") if isinstance(pagination, dict) else None
