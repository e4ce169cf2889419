// The checks of tasks, consoles and calibrations: they find nothing in a correct run, and each finds its violation in a wrong
// one.

import { expect, it } from 'vitest'
import type { Call } from '../../checker/facts.ts'
import { backgroundChecks } from './backgroundChecks.ts'
import { quietBackground } from './backgroundFacts.ts'
import { nothingNoted } from './seedRun.ts'
import { type Row, simulated, type Truth } from './truth.ts'

const gatewayId = 'gw_1'
const iso = (atMs: number) => new Date(atMs).toISOString()
const gateway: Truth['gateways'][number] = {
  gatewayId,
  name: 'gateway 1',
  spaceId: 'space_1',
  isReady: true,
  unreported: [],
  couldNotHangUp: [],
  starts: [],
  badDisk: [],
  refusals: [],
  stood: [],
  modemStood: [],
  lostReplies: [],
  reportsCalls: true,
  sentBefore: 0,
  violations: [],
}
const answeredBy = (text: string) =>
  ({ kind: 'ussd', state: 'done', answer: { text, isMenu: false } }) as const
const answered = answeredBy('Credit 5.00 EUR')
const told = { taskId: 'task_1', ...answered }
const toldTask = { atMs: 3_000, gatewayId, bootId: 'boot', told, text: JSON.stringify(told) }
const task: Truth['tasks'][number] = {
  id: 'task_1',
  gatewayId,
  bootId: 'boot',
  createdAt: iso(1_000),
  endedAt: iso(3_100),
  endedAs: 'done',
  reason: null,
  told: JSON.stringify(answered),
  kind: 'ussd',
  details: '{}',
}
const taskRun = { gatewayId, taskId: 'task_1', beganMs: 1_500, endedMs: 3_000 }
const to = (atMs: number, text: string) => ({ atMs, direction: 'toModem', text }) as const
const from = (atMs: number, text: string) => ({ atMs, direction: 'fromModem', text }) as const
const code = 'AT+CUSD=1,"*100#",15'
const dial = 'ATD+40722000001;'
const asked = [to(1_500, code), from(1_510, 'OK'), from(2_900, '+CUSD: 0,"Credit 5.00 EUR",15')]

const row = (id: string, grantedMs: number): Row => ({
  id,
  gateId: 'gate_1',
  status: 'failed',
  reason: 'rejected',
  opened: 'unknown',
  confidence: 'unknown',
  phoneNumber: '+40722000001',
  begunMs: grantedMs - 100,
  completedAt: null,
  grantedMs,
  grantNonce: 'n',
  gatewayId,
  bootId: 'boot',
  apiKeyId: null,
  userId: 'user_1',
  sessionId: null,
  accessId: null,
  spaceId: 'space_1',
  joinedOpeningId: null,
  usageHeld: 0,
  safeToRetry: 0,
})
const call = (atMs: number): Call => ({
  callId: 1,
  phoneNumber: '+40722000001',
  relayFired: true,
  outcome: 'rejected',
  gatewayId,
  atMs,
  readMs: atMs,
  endedAtMs: atMs + 8_000,
  isSleptOver: false,
})
const event = (kind: Truth['events'][number]['kind'], seq: number) => ({
  seq,
  at: iso(0),
  kind,
  targetId: 'gate_1',
  spaceId: 'space_1',
})

const good: Truth = {
  ...nothingNoted(),
  ...quietBackground,
  ...simulated,
  atMs: 400_000,
  stood: [],
  ends: new Map(),
  dials: [],
  sent: [],
  findings: [],
  caps: [],
  gateways: [gateway],
  tasks: [task],
  taskRuns: [taskRun],
  told: [toldTask],
  sims: [{ id: gatewayId, answer: 'Credit 5.00 EUR' }],
  lines: [{ gatewayId, lines: [...asked, to(20_000, dial)] }],
  rows: [row('open_1', 20_000), row('open_2', 60_000)],
  calls: [call(20_000), call(60_000)],
  observing: ['open_1', 'open_2'],
  prepared: [
    { gate: 0, atMs: 19_000 },
    { gate: 0, atMs: 59_000 },
  ],
  calibrations: [{ gateId: 'gate_1', openingIds: ['open_1', 'open_2'] }],
  events: [
    event('gate.calibration_started', 1),
    event('gate.updated', 2),
    event('gate.calibrated', 3),
    event('gate.calibration_started', 4),
  ],
}
/** The network sends a text of its own, which is reported as the answer. */
const unasked = { taskId: 'task_1', ...answeredBy('Bundle used up') } as const
const toldUnasked = {
  tasks: [{ ...task, told: JSON.stringify(answeredBy('Bundle used up')) }],
  told: [{ ...toldTask, told: unasked, text: JSON.stringify(unasked) }],
  sims: [],
}
const accepted = [to(1_500, code), from(1_510, 'OK')]
const bundle = from(1_600, '+CUSD: 0, "Bundle used up", 15')
const check = (truth: Truth) => backgroundChecks.flatMap(find => find(truth))

it('finds nothing in a correct run', () => {
  expect(check(good)).toEqual([])
})

const hint = { atMs: 2_000, gatewayId, openingId: 'open_9' }
const slow = { taskRuns: [{ ...taskRun, endedMs: 8_100 }], hints: [hint] }
const own = {
  ...hint,
  kind: 'claim',
  bootId: 'boot',
  nonce: 'n',
  reason: undefined,
  opened: undefined,
} as const
const badDisk = { ...gateway, badDisk: [{ fromMs: 0, toMs: 9_000 }] }
const fault = { ...gateway, couldNotHangUp: [{ fromMs: 1_000, toMs: 9_000 }] }
it.each([
  ['a hint that found the task just ended', { taskRuns: [{ ...taskRun, endedMs: 7_900 }], hints: [hint] }],
  [
    'a text that nobody asked for where the line has lost a reply',
    { ...toldUnasked, gateways: [{ ...gateway, lostReplies: [2_000] }] },
  ],
  [
    'a text that nobody asked for where it is the first after the code',
    { ...toldUnasked, lines: [{ gatewayId, lines: [...accepted, bundle] }] },
  ],
  ['a slow end where the modem has a fault', { ...slow, gateways: [fault] }],
  [
    'a slow end where the task waits for a bad disk and has sent no code',
    { ...slow, gateways: [badDisk], lines: [] },
  ],
  ['a hint of what was claimed before', { ...slow, sent: [{ ...own, atMs: 1_000, phase: undefined }] }],
  [
    'a hint of what was reported before',
    { ...slow, sent: [{ ...own, kind: 'report', atMs: 1_000, phase: 'not_dialled' }] },
  ],
  [
    'an ATD of the next daemon',
    {
      gateways: [{ ...gateway, starts: [{ atMs: 1_600, diedMs: 1_550, leftover: 'kept' }] }],
      lines: [{ gatewayId, lines: [to(1_500, code), to(1_700, dial)] }],
    },
  ],
  [
    'a session that was ended',
    {
      lines: [
        {
          gatewayId,
          lines: [...asked.slice(0, 2), to(2_000, 'AT+CUSD=2'), from(2_010, 'OK'), to(2_100, dial)],
        },
      ],
    },
  ],
  [
    'a rest that is shorter by what the machine of the gateway stalled',
    {
      rows: [row('open_1', 20_000), row('open_2', 52_000)],
      calls: [call(20_000), call(52_000)],
      sent: [{ ...own, openingId: 'open_1', atMs: 19_500, phase: undefined }],
      gateways: [{ ...gateway, stood: [{ fromMs: 21_000, toMs: 27_000 }] }],
    },
  ],
  [
    'a calibration that is over by a clock that was set',
    {
      clockSetMs: [5],
      events: [event('gate.calibration_started', 1), event('gate.calibration_started', 2)],
    },
  ],
  [
    'a balance without its task where a clock was set',
    { clockSetMs: [5], tasks: [], taskRuns: [], sims: [{ id: gatewayId, answer: 'Credit 5.00 EUR' }] },
  ],
] satisfies readonly (readonly [string, Partial<Truth>])[])('allows %s', (_, other) => {
  expect(check({ ...good, ...other })).toEqual([])
})

it.each([
  ['T1: task_1 still ran', slow],
  ['T1: task_1 still ran', { ...slow, sent: [{ ...own, kind: 'report', atMs: 1_000, phase: 'declined' }] }],
  [
    'T1: task_1 still ran',
    { ...slow, gateways: [badDisk], lines: [{ gatewayId, lines: [to(1_500, 'AT+CUSD=1')] }] },
  ],
  ['T1: an ATD at 1505 ms', { lines: [{ gatewayId, lines: [to(1_500, 'AT+CUSD=2'), to(1_505, dial)] }] }],
  [
    'T1: an ATD at 2000 ms in a USSD session',
    {
      lines: [{ gatewayId, lines: [...asked.slice(0, 2), to(2_000, dial)] }],
    },
  ],
  ['P4: the modem of gw_1 read "atd112;"', { lines: [{ gatewayId, lines: [to(5, 'atd112;')] }] }],
  ['P4: the modem of gw_1 read "A/"', { lines: [{ gatewayId, lines: [to(5, 'A/')] }] }],
  ['P4: the modem of gw_1 read "AT+CSQ;D112"', { lines: [{ gatewayId, lines: [to(5, 'AT+CSQ;D112')] }] }],
  ['T2: task_1 began 2 times', { taskRuns: [taskRun, { ...taskRun, beganMs: 5_000 }] }],
  ['T2: task_1 was told in different words', { told: [toldTask, { ...toldTask, text: '{}' }] }],
  ['T2: task_1 is done, and nobody', { tasks: [{ ...task, told: null }], sims: [] }],
  ['T2: task_1 is recorded as its boot', { told: [{ ...toldTask, bootId: 'other' }] }],
  ['T2: task_1 has not ended', { tasks: [{ ...task, endedAt: null }] }],
  ['T2: task_1 ended 156000 ms', { tasks: [{ ...task, endedAt: iso(157_000) }] }],
  ['T2: task_1 is told with the answer "Bundle used up"', toldUnasked],
  ...[
    [to(1_500, code), bundle, from(1_610, 'OK')],
    [...accepted, from(1_550, '+CUSD: 0, "Credit 5.00 EUR", 15'), bundle],
    [{ ...bundle, atMs: 1_490 }, ...accepted],
  ].map(
    lines =>
      [
        'T2: task_1 is told with the answer "Bundle used up"',
        { ...toldUnasked, lines: [{ gatewayId, lines }] },
      ] as const,
  ),
  [
    'T2: task_1 is told with the answer "Bundle used up"',
    { ...toldUnasked, gateways: [{ ...gateway, lostReplies: [1_000, 4_000] }] },
  ],
  ['T2: the balance of gw_1 is of no task', { sims: [{ id: gatewayId, answer: 'Push' }] }],
  ['T2: the balance of gw_1 is of no task', { clockSetMs: [5], sims: [{ id: gatewayId, answer: 'Push' }] }],
  [
    'C1: gate.calibration_started of gate_1',
    {
      events: [event('gate.calibration_started', 1), event('gate.calibration_started', 2)],
    },
  ],
  ['C1: gate.calibrated of gate_1, and before it undefined', { events: [event('gate.calibrated', 1)] }],
  ['C1: 2 test calls, 1 prepared', { prepared: [{ gate: 0, atMs: 19_000 }] }],
  [
    'C1: open_1 observes, and no admin pressed',
    {
      rows: [{ ...row('open_1', 20_000), userId: null }, row('open_2', 60_000)],
    },
  ],
  ['C1: open_2 is a test call that does not observe', { observing: ['open_1'] }],
  [
    'C1: +40722000001 was observed 12000 ms',
    {
      rows: [row('open_1', 20_000), row('open_2', 40_000)],
      calls: [call(20_000), call(40_000)],
    },
  ],
] satisfies readonly (readonly [string, Partial<Truth>])[])('finds %s', (violation, wrong) => {
  expect(check({ ...good, ...wrong })).toEqual([expect.stringContaining(violation)])
})
