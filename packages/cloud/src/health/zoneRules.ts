// The rules of time zones as the operator meets them: which release they are, and what is wrong with them.

import { zoneRules } from '@callgate/contract/time/zoneRules'
import { rulesFault, rulesWarning } from '../core/schedule/rulesFault.ts'

/** The release of the rules, as people read it. */
export const rulesName = `tz ${zoneRules.version}`

/** Why the cloud cannot decide by the rules, as a sentence; undefined when it can. Every zone that Node has is needed. */
export function brokenRules(): string | undefined {
  const fault = rulesFault(zoneRules, Intl.supportedValuesOf('timeZone'))
  return fault && `The rules of the time zones cannot be used: ${fault}.`
}

/** What the operator has to know when the rules are older than a year; undefined when they are not. */
export const oldRules = (nowMs: number): string | undefined => rulesWarning(zoneRules.version, nowMs)
