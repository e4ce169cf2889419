// Which words a report may have so that an older cloud can read it.

import { expect, it } from 'vitest'
import { type ReasonWord, reasons } from '../call/reason.ts'
import { exampleVerdict } from '../call/verdict.ts'
import type { Report } from './messages.ts'
import { inOlderWords } from './olderWords.ts'

/** The reasons that every cloud reads that a packaged gateway can meet. No word is ever added here. */
const everyCloudReads = `
gate_inactive gateway_offline modem_busy modem_not_ready no_network not_dialled interrupted outside_schedule
access_ended usage_exhausted access_inactive access_revoked permission_lost number_not_allowed number_changed number_in_use
sim_error line_in_use dial_no_response busy network_rejected bad_number congestion unreachable
no_ringing rejected_after_ring rejected ended_too_early late_release rang_out rang no_reaction
no_answer answered_unexpectedly rejected_to_voicemail answered_released answered confirmed dropped voicemail_suspected
cancelled modem_lost modem_lost_after_ring outcome_unknown no_report`

const ended = (reason: ReasonWord): Report => ({
  phase: 'ended',
  sinceClaimMs: 9_000,
  verdict: { ...exampleVerdict, reason },
  evidence: null,
})

it('replaces each reason that older clouds do not know by one that they do, and changes nothing else', () => {
  const known = everyCloudReads.trim().split(/\s/)
  for (const reason of Object.keys(reasons) as ReasonWord[]) {
    const report = ended(reason)
    const older = inOlderWords(report)
    const said = older.phase === 'ended' ? older.verdict.reason : undefined
    expect(known, `what does an older cloud read for ${reason}? Say it as "older" in its row`).toContain(said)
    if (known.includes(reason)) expect(older).toBe(report)
    else expect(older).toEqual(ended(said ?? reason))
  }
})

it('leaves all other reports unchanged', () => {
  for (const report of [
    { phase: 'ringing', sinceClaimMs: 1 },
    { phase: 'declined', reason: 'modem_busy' },
  ] as const)
    expect(inOlderWords(report)).toBe(report)
})
