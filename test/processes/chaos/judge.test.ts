// The judge, rule by rule: it has nothing against what went well, and sees each thing that may go wrong.

import type { LogEntry } from '@callgate/simulator/logFile'
import { describe, expect, it } from 'vitest'
import { type Facts, judge, judgeBystander } from './judge.ts'
import { points } from './points.ts'
import { trialQueue } from './queue.ts'
import { dialsOf, dialsTo, violationsIn } from './simulatorLog.ts'
import { summarise } from './trialTable.ts'

const row = {
  id: 'open_1',
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
const phoneNumber = '+40722000101'
const dial = { phoneNumber, atMs: acceptedMs + 1_100, relayFired: true, endedAtMs: acceptedMs + 1_200 }
const facts: Facts = {
  phoneNumber,
  dials: [dial],
  rows: [row],
  presses: [press],
  said: {
    claimedAtMs: new Map([[row.id, acceptedMs + 900]]),
    verdicts: new Map([[row.id, new Set([row.reason])]]),
    lastBeat: undefined,
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
  },
}
const dialledAt = (ms: number) => [{ ...dial, atMs: acceptedMs + ms }]
const away = (how: 'killed' | 'stopped', from: number, until: number) => ({
  gateway: [],
  simulator: [{ how, fromMs: acceptedMs + from, untilMs: acceptedMs + until }],
})

/** Dialled 1.1 s after acceptance. */
const longCall = (endedMs: number, absences: Facts['absences']) => ({
  ...facts,
  dials: [{ ...dial, endedAtMs: acceptedMs + endedMs }],
  absences,
})

describe('the judge', () => {
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
      { ...facts, dials: [{ phoneNumber, atMs: dial.atMs, relayFired: true }] },
    ],
  ] satisfies [string, Facts][])('has nothing against %s', (_, told) => {
    expect(judge(told)).toEqual([])
  })

  const bad: readonly [string, RegExp, Facts][] = [
    ['a second ATD', /double: 2 ATD/, { ...facts, dials: [dial, { ...dial, atMs: acceptedMs + 30_000 }] }],
    ['a second opening', /double: 2 openings/, { ...facts, rows: [row, { ...row, id: 'open_9' }] }],
    [
      'a call on top of a call',
      /double: dialled again/,
      { ...two, rows: [{ ...row, completedAt: '2026-01-01T00:00:05.000Z' }, next] },
    ],
    ['an ATD long after acceptance', /after acceptance/, { ...facts, dials: dialledAt(19_000) }],
    [
      'a grant long after the press, by the clock of its client',
      /granted 13501 ms after its press/,
      { ...facts, presses: [{ ...press, sentAtMs: [acceptedMs - 12_501, acceptedMs + 1_050] }] },
    ],
    [
      'an ATD long after the press, by the clock of its client',
      /dialled 19501 ms after its press/,
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
      /never claimed/,
      { ...facts, said: { ...facts.said, claimedAtMs: new Map() } },
    ],
    [
      'an ATD to a number that nobody pressed',
      /an ATD to \+40722000999, which nobody pressed/,
      { ...facts, dials: [dial, { ...dial, phoneNumber: '+40722000999' }] },
    ],
    ['a call that lasts too long', /call: lasted 65001 ms/, longCall(66_101, { gateway: [], simulator: [] })],
    [
      'a call that lasts too long, but for a time in which both were away',
      /call: lasted 65001 ms/,
      longCall(76_101, {
        ...away('stopped', 10_000, 20_000),
        gateway: [{ how: 'killed', fromMs: acceptedMs + 12_000, untilMs: acceptedMs + 14_000 }],
      }),
    ],
    [
      'a call that was never hung up',
      /call: never hung up/,
      longCall(Number.POSITIVE_INFINITY, away('stopped', 10_000, 20_000)),
    ],
    ['an ATD without a grant', /without a grant/, { ...facts, rows: [{ ...row, grantedAt: null }] }],
    ['an ATD before its grant', /without a grant/, { ...facts, dials: dialledAt(500) }],
    ['no opening', /lost/, { ...facts, rows: [] }],
    ['another opening', /lost/, { ...facts, presses: [{ ...press, replayed: answeredJoiner }] }],
    ['an opening of nobody', /nobody pressed/, { ...joined, presses: [press] }],
    ['an opening that runs', /not ended/, { ...facts, rows: [{ ...row, completedAt: null }] }],
    ['an opening that ended too late', /until 90001 ms/, { ...facts, endedAfterMs: 90_001 }],
    ['a call that was not dialled', /there was an ATD/, { ...notOpened, rows: [denied] }],
    ...['certain', 'likely', 'assumed'].map((confidence): [string, RegExp, Facts] => [
      `a no, ${confidence}, that moved`,
      new RegExp(`busy, ${confidence} not opened, but the relay fired`),
      { ...notOpened, rows: [{ ...denied, reason: 'busy', confidence }] },
    ]),
    ...['certain', 'likely', 'assumed'].map((confidence): [string, RegExp, Facts] => [
      `a completed opening, ${confidence}, that did not move`,
      /rejected_after_ring, completed, but no relay fired/,
      { ...facts, rows: [{ ...row, confidence }], dials: [{ ...dial, relayFired: false }] },
    ]),
    ['a completed opening without a call', /without an ATD/, { ...facts, dials: [] }],
    [
      'a verdict that was not recorded',
      /the gateway said busy/,
      { ...facts, said: { ...undecided, verdicts: new Map([[row.id, new Set(['busy'])]]) } },
    ],
    [
      'a report that never came',
      /its report is not/,
      { ...notOpened, rows: [{ ...row, status: 'timeout', reason: 'no_report', opened: 'unknown' }] },
    ],
    [
      'another answer to the same key',
      /answered opened, then busy/,
      { ...facts, presses: [{ ...press, replayed: { ...answered, outcome: 'busy' } }] },
    ],
    [
      'a byte while it dials',
      /modem: byte_during_dial/,
      { ...facts, modemViolations: ['byte_during_dial (AT)'] },
    ],
    ['a wrong answer', /opened, but answered not_dialled/, { ...facts, presses: notOpened.presses }],
    [
      'a wrong reason',
      /busy, but answered not_dialled/,
      { ...notOpened, rows: [{ ...denied, reason: 'busy' }] },
    ],
  ]
  it.each(bad)('sees %s', (_, words, told) => {
    expect(judge(told).join('; ')).toMatch(words)
  })
})

describe('the log', () => {
  const wire = (wallMs: number, text: string) =>
    ({ kind: 'wire', line: { atMs: wallMs, wallMs, direction: 'toModem', text } }) as const
  const call = (callId: number, phoneNumber: string, relayFired: boolean, endedAtMs?: number): LogEntry => ({
    kind: 'call',
    call: {
      ...{ callId, atMs: callId, phoneNumber, atdText: '', outcome: 'ringing', relayFired },
      ...(endedAtMs !== undefined && { endedAtMs }),
    },
  })

  it('gives each ATD to a number the relay and the end of its own call', () => {
    const entries = [
      wire(1, 'ATD+40722000101;'),
      call(1, '+40722000101', false),
      wire(2, 'ATD+40722000102;'),
      call(2, '+40722000102', true),
      wire(3, 'ATD+40722000101;'),
      call(3, '+40722000101', false),
      call(1, '+40722000101', true, 21),
    ]
    const dial = { phoneNumber: '+40722000101' }
    expect(dialsTo(dialsOf(entries), '+40722000101')).toEqual([
      { ...dial, atMs: 1, relayFired: true, endedAtMs: 21 },
      { ...dial, atMs: 3, relayFired: false, endedAtMs: Number.POSITIVE_INFINITY },
    ])
  })

  it('has every ATD, to whatever number', () => {
    const entries = [wire(1, 'AT'), wire(2, 'ATD112;'), wire(3, 'atd+40722000999i;'), wire(4, 'AT+CMGD=1')]
    expect(dialsOf(entries).map(({ phoneNumber }) => phoneNumber)).toEqual(['112', '+40722000999'])
  })

  it('tells each violation in words', () => {
    const violation = { violation: 'byte_during_dial', text: 'AT+\r', atMs: 1 } as const
    expect(violationsIn([{ kind: 'violation', violation }])).toEqual(['byte_during_dial (AT+)'])
  })
})

describe('the queue', () => {
  const [one, other] = points
  if (!one || !other) throw new Error('no points')

  it('gives each point as often as it has to be hit, the least tried first', () => {
    const queue = trialQueue([one, other], 2)
    const given = [queue.next(), queue.next(), queue.next(), queue.next(), queue.next()]
    expect(given).toEqual([one, other, one, other, undefined])
  })

  it('gives a missed point again, but not for ever', () => {
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

  it('is not well after a violation, wherever it was seen', () => {
    const whole = { ...trial, point: 'the whole life of a house', violations: ['late'] }
    const { isWell, lines } = summarise(['a'], [trial, whole], 1)
    expect(isWell).toBe(false)
    expect(lines).toContain('violated at the whole life of a house: late')
  })

  it('is not well when a point was hit too seldom', () => {
    const { isWell, lines } = summarise(['a', 'b'], [trial, { ...trial, point: 'b', isHit: false }], 1)
    expect(isWell).toBe(false)
    expect(lines).toContain('hit too seldom: b, 0 of 1 times')
  })
})

describe('the press at a cloud that no fault touches', () => {
  it('opens, or finds the modem in a call', () => {
    const busy = { ...press, answered: { openingId: 'open_2', outcome: 'modem_busy' } }
    expect(judgeBystander({ failures: [], presses: [press, busy] })).toEqual([])
  })

  it('is not refused, and does not end otherwise', () => {
    const offline = { ...press, answered: { openingId: 'open_2', outcome: 'gateway_offline' } }
    expect(judgeBystander({ failures: ['503'], presses: [offline] })).toEqual([
      'lost: the cloud that was not touched refused a press: 503',
      'lost: gateway_offline at the cloud that was not touched',
    ])
  })
})
