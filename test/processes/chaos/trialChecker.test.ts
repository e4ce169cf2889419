// The checker, rule by rule: it accepts what went well, and detects each violation.

import { describe, expect, it } from 'vitest'
import { points } from './points.ts'
import { trialQueue } from './queue.ts'
import { checkBystander, checkTrial, type SeenAtGate } from './trialChecker.ts'
import { summarise } from './trialTable.ts'

const phoneNumber = '+40722000101'
const row = {
  id: 'open_1',
  spaceId: 'space_1',
  phoneNumber,
  bootId: 'boot',
  grantNonce: 'nonce',
  safeToRetry: 0,
  apiKeyId: 'key_1',
  gatewayId: 'gw_1',
  joinedOpeningId: null,
  status: 'completed',
  reason: 'rejected_after_ring',
  opened: 'likely',
  confidence: 'assumed',
  calledAt: '2026-01-01T00:00:00.000Z',
  grantedAt: '2026-01-01T00:00:01.000Z',
  completedAt: '2026-01-01T00:00:03.000Z',
}
const acceptedMs = Date.parse(row.calledAt)
const answered = { openingId: row.id, outcome: 'opened' }
const press = { apiKeyId: row.apiKeyId, sentAtMs: [acceptedMs], answered, replayed: answered }
const dial = {
  gatewayId: 'gw_1',
  phoneNumber,
  atMs: acceptedMs + 1_100,
  relayFired: true,
  endedAtMs: acceptedMs + 1_200,
}
const facts: SeenAtGate = {
  gatewayIds: ['gw_1'],
  dials: [dial],
  rows: [row],
  presses: [press],
  said: {
    claimedAtMs: new Map([[row.id, acceptedMs + 900]]),
    verdicts: new Map([[row.id, new Set([row.reason])]]),
  },
  modemViolations: [],
  absences: { gateway: [], simulator: [] },
  endedAfterMs: 3_000,
}
const undecided = { ...facts.said, verdicts: new Map<string, Set<string>>() }
const denied = { ...row, status: 'failed', opened: 'no', confidence: 'certain', reason: 'not_dialled' }
const answeredDenied = { ...answered, outcome: denied.reason }
const notOpened = {
  ...facts,
  said: undecided,
  presses: [{ ...press, answered: answeredDenied, replayed: answeredDenied }],
}
const answeredUnknown = { ...answered, outcome: 'outcome_unknown' }
const answeredEarly = { ...answered, outcome: 'running' }
const joiner = { ...row, id: 'open_2', apiKeyId: 'key_2', joinedOpeningId: row.id, grantedAt: null }
const answeredJoiner = { openingId: joiner.id, outcome: 'opened' }
const other = {
  apiKeyId: 'key_2',
  sentAtMs: [acceptedMs],
  answered: answeredJoiner,
  replayed: answeredJoiner,
}
const joined = { ...facts, rows: [row, joiner], presses: [press, other] }
const next = {
  ...joiner,
  joinedOpeningId: null,
  grantedAt: '2026-01-01T00:00:09.000Z',
  calledAt: '2026-01-01T00:00:08.500Z',
  completedAt: '2026-01-01T00:00:11.000Z',
}
const two = {
  ...joined,
  rows: [row, next],
  dials: [dial, { ...dial, atMs: acceptedMs + 9_100 }],
  said: {
    ...facts.said,
    claimedAtMs: new Map([...facts.said.claimedAtMs, [next.id, acceptedMs + 8_900]]),
    verdicts: new Map([...facts.said.verdicts, [next.id, new Set([next.reason])]]),
  },
}
const dialledAt = (ms: number) => [{ ...dial, atMs: acceptedMs + ms }]
const away = (how: 'killed' | 'stopped', from: number, until: number) => ({
  gateway: [],
  simulator: [{ how, fromMs: acceptedMs + from, untilMs: acceptedMs + until }],
})

/** Dialled 1.1 s after acceptance. */
const longCall = (endedMs: number, absences: SeenAtGate['absences']) => ({
  ...facts,
  dials: [{ ...dial, endedAtMs: acceptedMs + endedMs }],
  absences,
})

describe('the checker of a trial', () => {
  it.each([
    ['one opening', facts],
    [
      'one of which nobody knows whether it opened',
      {
        ...notOpened,
        rows: [{ ...denied, reason: 'outcome_unknown', opened: 'unknown', confidence: 'unknown' }],
        presses: [{ ...press, answered: answeredUnknown, replayed: answeredUnknown }],
      },
    ],
    ['one that was not dialled', { ...notOpened, rows: [denied], dials: [] }],
    ['one that joined', joined],
    [
      'one that was answered before it ended',
      { ...facts, presses: [{ ...press, answered: answeredEarly, replayed: answeredEarly }] },
    ],
    [
      'a verdict that was said before a second one',
      {
        ...facts,
        said: { ...undecided, verdicts: new Map([[row.id, new Set([row.reason, 'outcome_unknown'])]]) },
      },
    ],
    ['one call after the other', two],
    [
      'a press that was repeated in time by its client',
      { ...facts, presses: [{ ...press, sentAtMs: [acceptedMs - 20_000, acceptedMs] }] },
    ],
    [
      'an ATD that a stopped simulator read later',
      { ...facts, dials: dialledAt(26_100), absences: away('stopped', 1_050, 26_050) },
    ],
    [
      'a call that ended with its simulator',
      longCall(Number.POSITIVE_INFINITY, away('killed', 20_000, 21_000)),
    ],
    [
      'a call that went on while nobody could end it',
      longCall(85_000, {
        gateway: [{ how: 'killed', fromMs: acceptedMs + 10_000, untilMs: acceptedMs + 20_000 }],
        simulator: [{ how: 'stopped', fromMs: acceptedMs + 15_000, untilMs: acceptedMs + 30_000 }],
      }),
    ],
    [
      'an ATD whose call was never begun',
      { ...facts, dials: [{ gatewayId: 'gw_1', phoneNumber, atMs: dial.atMs, relayFired: true }] },
    ],
  ] satisfies [string, SeenAtGate][])('accepts %s', (_, told) => {
    expect(checkTrial(told)).toEqual([])
  })

  const bad: readonly [string, RegExp, SeenAtGate][] = [
    [
      'a second ATD',
      /P1: open_1 was called 2 times/,
      { ...facts, dials: [dial, { ...dial, atMs: acceptedMs + 30_000 }] },
    ],
    [
      'a second opening',
      /P1: the Idempotency-Key key_1 has made 2 openings/,
      { ...facts, rows: [row, { ...row, id: 'open_9' }] },
    ],
    [
      'a call on top of a call',
      /P5: open_2 was called \d+ ms too soon after open_1/,
      { ...two, rows: [{ ...row, completedAt: '2026-01-01T00:00:05.000Z' }, next] },
    ],
    [
      'an ATD long after acceptance',
      /P2: open_1 was called 19000 ms after its press/,
      { ...facts, dials: dialledAt(19_000) },
    ],
    [
      'a grant long after the press, by the clock of its client',
      /P2: open_1 was granted 13501 ms after its client pressed/,
      { ...facts, presses: [{ ...press, sentAtMs: [acceptedMs - 12_501, acceptedMs + 1_050] }] },
    ],
    [
      'an ATD long after the press, by the clock of its client',
      /P2: open_1 was dialled 19501 ms after its client pressed/,
      { ...facts, presses: [{ ...press, sentAtMs: [acceptedMs - 18_401] }] },
    ],
    ['an ATD long after its claim', /after its claim/, { ...facts, dials: dialledAt(7_600) }],
    [
      'an ATD long after its claim that another stop does not explain',
      /after its claim/,
      { ...facts, dials: dialledAt(26_100), absences: away('stopped', 7_500, 26_050) },
    ],
    [
      'an ATD long after its claim and after the stop that it waited in',
      /after its claim/,
      { ...facts, dials: dialledAt(8_600), absences: away('stopped', 1_050, 8_000) },
    ],
    [
      'an ATD that no killed simulator can have kept',
      /after its claim/,
      { ...facts, dials: dialledAt(7_600), absences: away('killed', 1_050, 7_550) },
    ],
    [
      'an ATD without a claim',
      /P8: open_1 was dialled Infinity ms after its claim/,
      { ...facts, said: { ...facts.said, claimedAtMs: new Map() } },
    ],
    [
      'an ATD to a number that nobody pressed',
      /A1, G2: the dial of \+40722000999 at \d+ ms has no granted opening/,
      { ...facts, dials: [dial, { ...dial, phoneNumber: '+40722000999' }] },
    ],
    [
      'a call that lasts too long',
      /P7: call 0 of \+40722000101 lasted 65001 ms/,
      longCall(66_101, { gateway: [], simulator: [] }),
    ],
    [
      'a call that lasts too long, but for a time in which both were away',
      /P7: call 0 of \+40722000101 lasted 65001 ms/,
      longCall(76_101, {
        ...away('stopped', 10_000, 20_000),
        gateway: [{ how: 'killed', fromMs: acceptedMs + 12_000, untilMs: acceptedMs + 14_000 }],
      }),
    ],
    [
      'a call that was never hung up',
      /P7: call 0 of \+40722000101 lasted Infinity ms/,
      longCall(Number.POSITIVE_INFINITY, away('stopped', 10_000, 20_000)),
    ],
    [
      'an ATD without a grant',
      /A1, G2: .* has no granted opening/,
      { ...facts, rows: [{ ...row, grantedAt: null }] },
    ],
    ['an ATD before its grant', /A1, G2: .* has no granted opening/, { ...facts, dials: dialledAt(500) }],
    [
      'no opening',
      /A1: a press was answered, and has no opening; .*A1: open_1 was accepted and is gone/,
      { ...facts, rows: [] },
    ],
    [
      'another opening',
      /P1: open_1 was answered as open_1, then as open_2/,
      { ...facts, presses: [{ ...press, replayed: answeredJoiner }] },
    ],
    ['an opening of nobody', /A1: nobody pressed for open_2/, { ...joined, presses: [press] }],
    [
      'an opening that runs',
      /A2: open_1 is still connected/,
      { ...facts, rows: [{ ...row, status: 'connected', completedAt: null }] },
    ],
    ['an opening that ended too late', /until 90001 ms/, { ...facts, endedAfterMs: 90_001 }],
    [
      'a call that was not dialled',
      /A3: open_1 is recorded as not_dialled, and it was dialled/,
      { ...notOpened, rows: [denied] },
    ],
    ...['certain', 'likely', 'assumed'].map((confidence): [string, RegExp, SeenAtGate] => [
      `a no, ${confidence}, that moved`,
      /A3: open_1 is recorded as not opened, and the gate moved/,
      { ...notOpened, rows: [{ ...denied, reason: 'busy', confidence }] },
    ]),
    ...['certain', 'likely', 'assumed'].map((confidence): [string, RegExp, SeenAtGate] => [
      `a completed opening, ${confidence}, that did not move`,
      /A3: open_1 is recorded as opened, and the gate did not move/,
      { ...facts, rows: [{ ...row, confidence }], dials: [{ ...dial, relayFired: false }] },
    ]),
    [
      'a completed opening without a call',
      /A3: open_1 is recorded as opened, and nothing was dialled/,
      { ...facts, dials: [] },
    ],
    [
      'a verdict that was not recorded',
      /A3: open_1 is recorded as rejected_after_ring, which no gateway has reported/,
      { ...facts, said: { ...undecided, verdicts: new Map([[row.id, new Set(['busy'])]]) } },
    ],
    [
      'a report that never came',
      /A3: the gateway of open_1 is back, and its report is not/,
      { ...notOpened, rows: [{ ...row, status: 'timeout', reason: 'no_report', opened: 'unknown' }] },
    ],
    [
      'another answer to the same key',
      /answered opened, then busy/,
      { ...facts, presses: [{ ...press, replayed: { ...answered, outcome: 'busy' } }] },
    ],
    [
      'a byte while it dials',
      /P5: byte_during_dial \(AT\)/,
      { ...facts, modemViolations: ['byte_during_dial (AT)'] },
    ],
    [
      'a wrong answer',
      /A3: open_1 ended as opened, and was answered not_dialled/,
      { ...facts, presses: notOpened.presses },
    ],
    [
      'a wrong reason',
      /A3: open_1 ended as busy, and was answered not_dialled/,
      { ...notOpened, rows: [{ ...denied, reason: 'busy' }] },
    ],
  ]
  it.each(bad)('detects %s', (_, words, told) => {
    expect(checkTrial(told).join('; ')).toMatch(words)
  })
})

describe('the queue', () => {
  const [one, other] = points
  if (!one || !other) throw new Error('no points')

  it('gives each point as often as it has to be hit, those with the fewest tries first', () => {
    const queue = trialQueue([one, other], 2)
    const given = [queue.next(), queue.next(), queue.next(), queue.next(), queue.next()]
    expect(given).toEqual([one, other, one, other, undefined])
  })

  it('gives a missed point again, up to a limit', () => {
    const queue = trialQueue([one], 1)
    for (let tries = 0; tries < 3; tries++) {
      expect(queue.next()).toBe(one)
      queue.done(one, false)
    }
    expect(queue.next()).toBeUndefined()
  })
})

describe('the table', () => {
  const trial = { point: 'a', isHit: true, violations: [], reason: 'busy', dials: 1, recoveryMs: 1_200 }

  it('counts tries, hits and violations of each point', () => {
    const { isWell, lines } = summarise(['a'], [trial, { ...trial, isHit: false }], 1)
    expect(isWell).toBe(true)
    expect(lines.join('\n')).toMatch(/^a +2 +1 +0 +1\.2s {2}busy 2$/m)
    expect(lines.at(-1)).toBe('1 points, 2 trials, 1 hits, 0 with violations')
  })

  it('reports a failure after a violation, wherever it was found', () => {
    const whole = { ...trial, point: 'the whole life of a house', violations: ['late'] }
    const { isWell, lines } = summarise(['a'], [trial, whole], 1)
    expect(isWell).toBe(false)
    expect(lines).toContain('violated at the whole life of a house: late')
  })

  it('reports a failure when a point was hit too seldom', () => {
    const { isWell, lines } = summarise(['a', 'b'], [trial, { ...trial, point: 'b', isHit: false }], 1)
    expect(isWell).toBe(false)
    expect(lines).toContain('hit too seldom: b, 0 of 1 times')
  })
})

describe('the press at a cloud that no fault touches', () => {
  const notBegun = '503 {"error":{"message":"The service cannot take the request now; nothing was done."}}'

  it('may open the gate, or find the modem in a call', () => {
    const busy = { ...press, answered: { openingId: 'open_2', outcome: 'modem_busy' } }
    expect(checkBystander({ failures: [], mayHoldSpace: false, presses: [press, busy] })).toEqual([])
  })

  it('may not be refused, or end otherwise', () => {
    const offline = { ...press, answered: { openingId: 'open_2', outcome: 'gateway_offline' } }
    const told = { failures: ['500 no', notBegun], presses: [offline] }
    const other = 'lost: gateway_offline at the cloud that was not touched'
    const refused = (why: string) => `lost: the cloud that was not touched refused a press: ${why}`
    expect(checkBystander({ ...told, mayHoldSpace: false })).toEqual([
      refused('500 no'),
      refused(notBegun),
      other,
    ])
    expect(checkBystander({ ...told, mayHoldSpace: true })).toEqual([refused('500 no'), other])
  })
})
