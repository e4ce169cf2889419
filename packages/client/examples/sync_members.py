"""Keeps the members of a Space as a CRM has them: `python3 sync_members.py people.csv [--dry-run]`.

The file has a line for each person: `id,name,gate`. The id is that of the CRM, and becomes the
`externalId`; a person with several gates has several lines. Who is no longer in the file is
deactivated. Members without an `externalId` were made by others, and stay as they are. The same
file twice changes nothing, so an interrupted run is simply started again.
"""

from __future__ import annotations

import csv
import os
import sys
from typing import Dict, Iterable, List

from callgate import AccessGrant, BulkMembersBodyItem, CallgateError, Client

MOST = 50
"""How many members one request names: it may handle 1,000 accesses, so 20 of each member."""


def items_of(rows: Iterable[Dict[str, str]], gates: Dict[str, str]) -> List[BulkMembersBodyItem]:
    """One item for each person, with an access to each of their gates."""
    names: Dict[str, str] = {}
    accesses: Dict[str, List[AccessGrant]] = {}
    for row in rows:
        names[row["id"]] = row["name"]
        accesses.setdefault(row["id"], []).append({"gateId": gates[row["gate"]]})
    return [
        {"externalId": person, "name": name, "accesses": accesses[person]}
        for person, name in names.items()
    ]


def sync(client: Client, rows: Iterable[Dict[str, str]], is_dry_run: bool) -> Dict[str, int]:
    """Makes the members so, and counts what became of them."""
    gates = {gate["name"]: gate["id"] for gate in client.each("list_gates", {"isActive": True})}
    items = items_of(rows, gates)
    kept = {item["externalId"] for item in items}
    for member in client.each("list_members", {"isActive": True}):
        person = member.get("externalId")
        if person is not None and person not in kept:
            items.append({"externalId": person, "isActive": False})
    counts: Dict[str, int] = {}
    for first in range(0, len(items), MOST):
        piece = items[first : first + MOST]
        done = client.bulk_members({"items": piece, "isDryRun": is_dry_run}).body
        for each in done["members"]:
            counts[each["change"]] = counts.get(each["change"], 0) + 1
    return counts


def main() -> int:
    """Reads the file, and says what was changed. 1 where it could not be done."""
    client = Client(os.environ["BASE_URL"], os.environ["API_KEY"])
    is_dry_run = "--dry-run" in sys.argv
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    try:
        counts = sync(client, rows, is_dry_run)
    except KeyError as error:
        print(f"There is no gate {error}.")
        return 1
    except CallgateError as error:
        for fault in error.faults:
            print(f"item {fault.index}: {fault.message}")
        if not error.faults:
            print(error.message)
        return 1
    told = ", ".join(f"{count} {change}" for change, count in sorted(counts.items()))
    print(f"{'It would be' if is_dry_run else 'Done'}: {told or 'nothing'}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
