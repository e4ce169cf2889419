"""Makes of a booking an access with an end, and prints the guest's link:
`python3 booking.py BOOKING NAME GATE ARRIVAL DEPARTURE`.

The times are those of RFC 3339, such as 2026-07-01T15:00:00+03:00. The number of the booking is the
member's `externalId`. So the same booking again makes nothing twice: it gets the new times.
"""

from __future__ import annotations

import os
import sys
from typing import List

from callgate import AccessGrant, CallgateError, Client


def book(client: Client, booking: str, name: str, gate_id: str, arrival: str, end: str) -> str:
    """Answers the link with which the guest opens the gate from `arrival` until `end`."""
    accesses: List[AccessGrant] = [
        {
            "gateId": gate_id,
            "schedules": [{"type": "one-shot", "startsAt": arrival, "expiresAt": end}],
        }
    ]
    # All or nothing, and nothing twice: the booking is found by its number.
    done = client.bulk_members(
        {"items": [{"externalId": booking, "name": name, "accesses": accesses}]}
    ).body
    member_id = done["members"][0]["memberId"]
    assert member_id is not None
    for access in client.get_member(member_id).body["member"]["accesses"]:
        if access["gateId"] == gate_id:
            return access["accessUrl"]
    raise LookupError("the access was revoked meanwhile")


def main() -> int:
    """Books, and prints the link. 1 where it could not be done."""
    booking, name, gate_name, arrival, end = sys.argv[1:]
    client = Client(os.environ["BASE_URL"], os.environ["API_KEY"])
    try:
        gates = {gate["name"]: gate["id"] for gate in client.each("list_gates")}
        print(book(client, booking, name, gates[gate_name], arrival, end))
    except KeyError:
        print(f"There is no gate {gate_name}.")
        return 1
    except CallgateError as error:
        print(error.message)
        for fault in error.faults:
            print(fault.message)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
