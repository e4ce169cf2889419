// The time zone rules for the operator: their release, and their faults.

import { zoneRules } from '@callgate/contract/time/zoneRules'
import { rulesFault, rulesWarning } from '../core/schedule/rulesFault.ts'

/** The release of the rules, as people read it. */
export const rulesName = `tz ${zoneRules.version}`

/** Why the cloud cannot use the rules, as a sentence; undefined when it can. They must have every zone of Node. */
export function brokenRules(): string | undefined {
  const fault = rulesFault(zoneRules, Intl.supportedValuesOf('timeZone'))
  return fault && `The rules of the time zones cannot be used: ${fault}.`
}

/** A warning to the operator when the rules are older than a year; undefined when they are not. */
export const oldRules = (nowMs: number): string | undefined => rulesWarning(zoneRules.version, nowMs)
