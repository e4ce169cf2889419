"""The typed client of the Callgate REST API."""

from . import _types
from ._client import Client
from ._core import Answer, CallgateError, Fault, Lost, Reply, Request
from ._follow import Followed, FollowedChange
from ._types import *  # noqa: F403
from ._urllib import Stream, Transport, UrllibTransport
from ._webhook import VerifiedWebhook, WebhookError, WebhookMessage, verify_webhook

__all__ = [
    "Answer",
    "CallgateError",
    "Client",
    "Fault",
    "Followed",
    "FollowedChange",
    "Lost",
    "Reply",
    "Request",
    "Stream",
    "Transport",
    "UrllibTransport",
    "VerifiedWebhook",
    "WebhookError",
    "WebhookMessage",
    "verify_webhook",
]
__all__ += _types.__all__
