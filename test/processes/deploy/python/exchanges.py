"""Runs the scripted exchanges against the Python clients, blocking and for asyncio, and prints the
differences as JSON: `python3 exchanges.py packages/client/exchanges.json`."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple, Union

from callgate import CallgateError, Client, Lost, Reply, Request, WebhookError, verify_webhook
from callgate.aio import AsyncClient

Json = Dict[str, Any]


def snake(name: str) -> str:
    """The name of an operation or an option in Python."""
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


class Script:
    """The clock and the network of one exchange."""

    def __init__(self, exchange: Json) -> None:
        self.now = 0.0
        self.pauses: List[float] = []
        self.sent: List[Json] = []
        self.open = 0
        self.left: List[Json] = list(exchange["answers"])
        self._random: List[float] = list(exchange.get("random", []))
        self._pieces: List[Any] = []
        self._is_cut = False

    def now_ms(self) -> float:
        return self.now

    def random(self) -> float:
        return self._random.pop(0) if self._random else 0.0

    def new_key(self) -> str:
        return "key-1"

    def pause(self, ms: float) -> None:
        self.pauses.append(ms)
        self.now += ms

    def _next(self, request: Request, within_ms: float) -> Union[Json, Lost]:
        body = None if request.body is None else request.body.decode()
        sent = {"method": request.method, "url": request.url, "headers": dict(request.headers)}
        self.sent.append({**sent, **({} if body is None else {"body": body})})
        if not self.left:
            raise AssertionError("nothing was planned")
        answer = self.left.pop(0)
        if self._is_late(answer.get("afterMs", 0), within_ms):
            return Lost("its time was over", True)
        return Lost("fetch failed") if answer.get("lost") else answer

    def _is_late(self, after_ms: float, within_ms: float) -> bool:
        """Lets time pass, up to the limit."""
        self.now += min(after_ms, within_ms)
        return after_ms >= within_ms

    def send(self, request: Request, within_ms: float) -> Union[Reply, Lost]:
        answer = self._next(request, within_ms)
        if isinstance(answer, Lost):
            return answer
        text = answer.get("text")
        if text is None:
            text = json.dumps(answer["body"]) if "body" in answer else ""
        headers = {name.lower(): value for name, value in answer.get("headers", {}).items()}
        return Reply(answer["status"], headers, text.encode())

    def connect(
        self, request: Request, within_ms: float
    ) -> Tuple[Union[Reply, Lost], Optional[Script]]:
        if not self.left or "stream" not in self.left[0]:
            return self.send(request, within_ms), None
        answer = self._next(request, within_ms)
        if isinstance(answer, Lost):
            return answer, None
        self._pieces, self._is_cut = list(answer["stream"]), answer.get("isCut", False)
        self.open += 1
        return Reply(200, {}, b""), self

    def read(self, within_ms: float) -> Union[bytes, Lost]:
        while self._pieces:
            piece = self._pieces.pop(0)
            if isinstance(piece, str):
                return piece.encode()
            if "times" in piece:
                return bytes(piece["text"] * piece["times"], "utf-8")
            if self._is_late(piece["waitMs"], within_ms):
                return Lost("nothing came", True)
        return Lost("terminated") if self._is_cut else b""

    def close(self) -> None:
        self.open -= 1


class AsyncScript:
    """The same for asyncio."""

    def __init__(self, exchange: Json) -> None:
        self.script = Script(exchange)
        self.now_ms = self.script.now_ms
        self.random = self.script.random
        self.new_key = self.script.new_key

    async def pause(self, ms: float) -> None:
        self.script.pause(ms)

    async def send(self, request: Request, within_ms: float) -> Union[Reply, Lost]:
        return self.script.send(request, within_ms)

    async def connect(
        self, request: Request, within_ms: float
    ) -> Tuple[Union[Reply, Lost], Optional[AsyncScript]]:
        reply, stream = self.script.connect(request, within_ms)
        return reply, None if stream is None else self

    async def read(self, within_ms: float) -> Union[bytes, Lost]:
        return self.script.read(within_ms)

    async def close(self) -> None:
        if self.script.open > 0:
            self.script.close()


def failure_of(error: CallgateError) -> Json:
    """A failure with the names of the file."""
    after = error.retry_after_s
    return {
        "code": error.code,
        "message": error.message,
        "status": error.status,
        "requestId": error.request_id,
        "reason": error.reason,
        "openingId": error.opening_id,
        "safeToRetry": error.safe_to_retry,
        "existingId": error.existing_id,
        "faults": [dict(vars(fault)) for fault in error.faults],
        "retryAfterMs": None if after is None else after * 1000,
        "idempotencyKey": error.idempotency_key,
    }


def wanted_failure(failure: Json, message: str) -> Json:
    """What the file expects, with what it leaves out."""
    nothing = failure_of(CallgateError("", message))
    return {**nothing, **failure}


def item_of(item: Any) -> Json:
    """A followed event with the names of the file; a row as it is."""
    if isinstance(item, dict):
        return item
    told = dict(vars(item))
    told["hasMissed"] = told.pop("has_missed")
    return told


def arguments(call: Json) -> Tuple[str, List[Any], Json]:
    """The method and its arguments."""
    options: Json = {snake(name): value for name, value in call.get("options", {}).items()}
    if "deadline_ms" in options:
        options["deadline_s"] = options.pop("deadline_ms") / 1000
    if "each" in call:
        return "each", [snake(call["each"]), call.get("query")], options
    given: Json = {snake(name): value for name, value in call.get("input", {}).items()}
    return snake(call["operation"]), [], {**given, **options}


def settings(script: Json, exchange: Json) -> Json:
    """The options of the client."""
    client = exchange.get("client", {})
    made: Json = {"base_url": client.get("baseUrl", script["baseUrl"]), "api_key": script["apiKey"]}
    if "tries" in client:
        made["tries"] = client["tries"]
    if "deadlineMs" in client:
        made["deadline_s"] = client["deadlineMs"] / 1000
    return made


def answer_of(answer: Any) -> Json:
    """A success with the names of the file."""
    found = {"status": answer.status, "body": answer.body}
    return {**found, "etag": answer.etag, "requestId": answer.request_id}


def run_blocking(file: Json, exchange: Json) -> Tuple[Script, Json]:
    """Makes the call with the blocking client."""
    script = Script(exchange)
    client = Client(**settings(file, exchange), transport=script, clock=script)
    method, given, named = arguments(exchange["call"])
    outcome: Json = {}
    try:
        made = getattr(client, method)(*given, **named)
        if not hasattr(made, "__next__"):
            outcome["success"] = answer_of(made)
            return script, outcome
        outcome["items"] = []
        for item in made:
            outcome["items"].append(item_of(item))
            if len(outcome["items"]) == exchange["call"].get("take"):
                break
        made.close()
    except CallgateError as error:
        outcome["failure"] = failure_of(error)
    return script, outcome


async def run_async(file: Json, exchange: Json) -> Tuple[Script, Json]:
    """Makes the call with the client for asyncio."""
    script = AsyncScript(exchange)
    client = AsyncClient(**settings(file, exchange), transport=script, clock=script)
    method, given, named = arguments(exchange["call"])
    outcome: Json = {}
    try:
        made = getattr(client, method)(*given, **named)
        if not hasattr(made, "__anext__"):
            outcome["success"] = answer_of(await made)
            return script.script, outcome
        outcome["items"] = []
        async for item in made:
            outcome["items"].append(item_of(item))
            if len(outcome["items"]) == exchange["call"].get("take"):
                break
        await made.aclose()
    except CallgateError as error:
        outcome["failure"] = failure_of(error)
    return script.script, outcome


def wanted_of(file: Json, exchange: Json, outcome: Json) -> Json:
    """What the file expects of an exchange."""
    requests = [
        {**one, "headers": {**file["headers"], **one.get("headers", {})}}
        for one in exchange["requests"]
    ]
    wanted: Json = {"sent": requests, "pauses": exchange["pauses"], "left": [], "open": 0}
    if "items" in exchange:
        wanted["items"] = exchange["items"]
    if "success" in exchange:
        wanted["success"] = {"etag": None, "requestId": None, **exchange["success"]}
    if "failure" in exchange:
        message = outcome.get("failure", {}).get("message", "")
        wanted["failure"] = wanted_failure(exchange["failure"], message)
    return wanted


def check_webhook(webhook: Json) -> Tuple[Json, Json]:
    """What came of a webhook, and what the file expects."""
    more = {"tolerance_s": webhook["toleranceS"]} if "toleranceS" in webhook else {}
    given = (webhook["body"], webhook["headers"], webhook["secret"])
    found: Json
    try:
        checked = verify_webhook(*given, now=webhook["nowS"], **more)
        found = {"id": checked.id, "event": checked.event}
    except WebhookError as error:
        found = {"code": error.code}
    if "code" in webhook:
        return found, {"code": webhook["code"]}
    return found, {"id": webhook["id"], "event": json.loads(webhook["body"])}


def main(path: str) -> None:
    """Prints how much was run, and each difference."""
    file: Json = json.loads(Path(path).read_text("utf-8"))
    faults: List[Json] = []
    ran = 0

    def compare(name: str, found: Json, wanted: Json) -> None:
        nonlocal ran
        ran += 1
        if found != wanted:
            faults.append({"name": name, "found": found, "wanted": wanted})

    for exchange in file["exchanges"]:
        for kind, (script, outcome) in {
            "blocking": run_blocking(file, exchange),
            "asyncio": asyncio.run(run_async(file, exchange)),
        }.items():
            found = {"sent": script.sent, "pauses": script.pauses, "left": script.left}
            wanted = wanted_of(file, exchange, outcome)
            name = f"{exchange['name']} ({kind})"
            compare(name, {**found, "open": script.open, **outcome}, wanted)
    for webhook in file["webhooks"]:
        found, wanted = check_webhook(webhook)
        compare(webhook["name"], found, wanted)
    print(json.dumps({"ran": ran, "faults": faults}))


if __name__ == "__main__":
    main(sys.argv[1])
