// Checks that rules of time zones can be used: an operator may have replaced their file.

import { agedFromMs, type ZoneRules } from '@callgate/contract/time/zoneRules'
import { readPackedZone } from './packedZone.ts'
import { createZones, listedUpToMs } from './zone.ts'

/**
 * Why the rules cannot be used, as the end of a sentence; undefined when they can. The rules must have a zone for each of
 * `names`.
 */
export function rulesFault(rules: ZoneRules, names: readonly string[]): string | undefined {
  const { links, version, zones } = rules
  if (agedFromMs(version) === undefined) return `their version is ${version}, not a release such as 2026f`
  let lastMs = -Infinity
  for (const zone of zones) {
    const changes = readPackedZone(String(zone))
    if (!changes) return `the zone ${String(zone).slice(0, 40)} cannot be read`
    lastMs = Math.max(lastMs, changes.atMs.at(-1) ?? -Infinity)
  }
  if (lastMs < listedUpToMs) return 'they end too early: data/packed/latest.json lists the changes up to 2499'
  const { zoneOf } = createZones(rules)
  const linked = links.map(link => String(link).split('|')[1] ?? '')
  const missing = [...names, ...linked].find(name => !zoneOf(name))
  return missing === undefined ? undefined : `the zone ${missing} is missing`
}

/** A warning to the operator about rules that are older than a year; undefined for newer ones. */
export function rulesWarning(version: string, nowMs: number): string | undefined {
  const agedMs = agedFromMs(version)
  if (agedMs === undefined || nowMs < agedMs) return undefined
  return `The rules of the time zones, tz ${version}, are older than a year: where clocks were changed since, schedules are an hour off. Bring them up to date.`
}
