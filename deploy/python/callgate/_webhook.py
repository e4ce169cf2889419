"""Checks a webhook: that the service has sent it, and lately (Standard Webhooks 1.0.0)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import time
from dataclasses import dataclass
from typing import (
    Any,
    Dict,
    Iterable,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    TypedDict,
    Union,
    cast,
)

from ._core import parse


class Headers(Protocol):
    """A dictionary, or what a server has for headers."""

    def items(self) -> Iterable[Tuple[str, str]]:
        """Each name with its value."""


class WebhookMessage(TypedDict):
    """An event that came by a webhook."""

    type: str
    """Such as `opening.ended`. Tolerate types that you do not know."""
    timestamp: str
    """When it happened (RFC 3339)."""
    sequence: int
    """Counts up in the Space: what came later has more."""
    data: Dict[str, Any]
    """Ids, and of the end of an opening how it ended."""


@dataclass(frozen=True)
class VerifiedWebhook:
    """A webhook that the service has sent."""

    id: str
    """The same when the same event comes again."""
    event: WebhookMessage


class WebhookError(Exception):
    """A webhook that is not accepted. Answer it with 400, and do nothing."""

    code: str
    """- `bad_headers`: a header of Standard Webhooks is missing or is no header of its kind.
    - `too_old`: it was signed longer ago than `tolerance_s`, or later than now.
    - `bad_signature`: no signature is one of these secrets for this body.
    - `bad_body`: it is signed, and is no event of this service."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def _bytes_of(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def _is_signed(signed: bytes, signatures: str, secrets: Sequence[str]) -> bool:
    """Whether one of the signatures is that of the bytes. Every wrong one takes the same time."""
    given = [_bytes_of(one[3:]) for one in signatures.split(" ") if one.startswith("v1,")]
    for secret in secrets:
        key = _bytes_of(secret[6:] if secret.startswith("whsec_") else secret)
        if not key:
            continue
        right = hmac.new(key, signed, hashlib.sha256).digest()
        for signature in given:
            if signature is not None and hmac.compare_digest(right, signature):
                return True
    return False


def verify_webhook(
    body: Union[bytes, str],
    headers: Headers,
    secret: Union[str, Sequence[str]],
    *,
    tolerance_s: float = 300,
    now: Optional[float] = None,
) -> VerifiedWebhook:
    """Checks a webhook, and answers its event. Raises WebhookError where it is not accepted.

    `body` is the body as it came, byte by byte: not parsed and written again. `secret` is
    `whsec_…`; during a rotation give both. `tolerance_s` is how far the time of the signature may
    be from `now`, which are seconds since the epoch and the machine's clock by default.

    The same event can come twice, with the same `id`, and events can come in another order:
    `sequence` sorts them. Answer 2xx soon, and work on it later.
    """
    given = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    if message_id == "" or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookError("bad_headers")
    content = body.encode("utf-8", "replace") if isinstance(body, str) else bytes(body)
    signed = f"{message_id}.{timestamp}.".encode("utf-8", "replace") + content
    secrets = [secret] if isinstance(secret, str) else secret
    if not _is_signed(signed, given.get("webhook-signature", ""), secrets):
        raise WebhookError("bad_signature")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_s:
        raise WebhookError("too_old")
    event = parse(content)
    if not isinstance(event, dict) or not isinstance(event.get("type"), str):
        raise WebhookError("bad_body")
    if not isinstance(event.get("data"), dict):
        raise WebhookError("bad_body")
    return VerifiedWebhook(message_id, cast(WebhookMessage, event))
