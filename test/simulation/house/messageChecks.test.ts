// The checks of messages: they find nothing in a correct run, and each finds its violation in a wrong one.

import { expect, it } from 'vitest'
import { quietBackground } from './backgroundFacts.ts'
import { messageChecks } from './messageChecks.ts'
import { nothingNoted } from './seedRun.ts'
import { simulated, type Truth } from './truth.ts'

const gatewayId = 'gw_1'
const phoneNumber = '+40722000001'
const text = '1234#TEL0040711111111#007#'
const details = { brand: 'rtu5024', phoneNumber, callerNumber: '+40711111111', place: '007' }
const task: Truth['tasks'][number] = {
  id: 'task_1',
  gatewayId,
  bootId: 'boot',
  kind: 'sms',
  details: JSON.stringify(details),
  createdAt: '',
  endedAt: '',
  endedAs: 'done',
  reason: null,
  told: null,
}
const done = { taskId: 'task_1', kind: 'sms', state: 'done', sent: 'yes' } as const
const toldAs = (told: Truth['told'][number]['told']) => [
  { atMs: 9_000, gatewayId, bootId: 'boot', told, text: '' },
]
const answered = (said: string, isWhole = true) => toldAs({ ...done, answer: { text: said, isWhole } })
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
const to = (atMs: number, said: string) => ({ atMs, direction: 'toModem', text: said }) as const
const from = (atMs: number, said: string) => ({ atMs, direction: 'fromModem', text: said }) as const
const lines = (...own: readonly (ReturnType<typeof to> | ReturnType<typeof from>)[]) => [
  { gatewayId, lines: own },
]
const asks = to(2_000, 'AT+CMGS=30')
const dial = (atMs: number) => to(atMs, 'ATD+40722000001;')

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
  rows: [],
  calls: [],
  events: [],
  gateways: [gateway],
  tasks: [task],
  taskRuns: [{ gatewayId, taskId: 'task_1', beganMs: 1_500, endedMs: 9_000 }],
  told: answered('007:*****111'),
  messages: [{ gatewayId, to: phoneNumber, text }],
  lines: lines(asks, to(2_100, '0011\x1a'), from(5_000, 'OK'), dial(5_100)),
}
const check = (truth: Truth) => messageChecks.flatMap(find => find(truth))

it('finds nothing in a correct run', () => {
  expect(check(good)).toEqual([])
})

const opened: Truth['calls'][number] = {
  callId: 1,
  phoneNumber,
  relayFired: true,
  outcome: 'rejected',
  endedAtMs: 1_000,
  gatewayId,
  atMs: 500,
  readMs: 505,
  isSleptOver: false,
}
const hint = { atMs: 1_000, gatewayId, openingId: 'open_1' }
const late = lines(to(4_500, 'AT+CMGS=30'))
const claim = { kind: 'claim', gatewayId, openingId: 'open_1', bootId: 'boot', nonce: 'n' } as const
const claimed = { ...claim, phase: undefined, reason: undefined, opened: undefined, atMs: 3_000 }
const away = { atMs: 4_000, diedMs: 2_000, leftover: 'kept' } as const
it.each([
  [
    'a message that was not sent, and whose gateway does not know it',
    { messages: [], told: toldAs({ ...done, sent: 'unknown', answer: null }) },
  ],
  ['a part of an answer', { told: answered('00407', false) }],
  [
    'that the module confirms an opening meanwhile',
    { told: answered('007:*****111 | Opened by your call'), calls: [opened] },
  ],
  [
    'two messages of two tasks',
    {
      tasks: [task, { ...task, id: 'task_2' }],
      taskRuns: [...good.taskRuns, { ...good.taskRuns[0], taskId: 'task_2' } as Truth['taskRuns'][number]],
      messages: [...good.messages, ...good.messages],
    },
  ],
  ['a message that had just begun', { hints: [hint], lines: lines(asks) }],
  ['a message after a claim', { hints: [hint], lines: late, sent: [claimed] }],
  [
    'a message after the end of the opening',
    { hints: [hint], lines: late, ends: new Map([['open_1', 2_000]]) },
  ],
  [
    'a message of the next daemon',
    { hints: [hint], lines: late, gateways: [{ ...gateway, starts: [away] }] },
  ],
  ['the last message of a day', { gateways: [{ ...gateway, sentBefore: 19 }] }],
  ['a call after a prompt that was left', { lines: lines(asks, to(4_000, '\x1b'), dial(4_100)) }],
] satisfies readonly (readonly [string, Partial<Truth>])[])('allows %s', (_, other) => {
  expect(check({ ...good, ...other })).toEqual([])
})

it.each([
  ['was sent 2 times and asked 1 times', { messages: [...good.messages, ...good.messages] }],
  ['was sent 1 times and asked 0 times', { taskRuns: [], told: [] }],
  [
    'was sent 1 times and asked 0 times',
    { told: toldAs({ taskId: 'task_1', state: 'not_done', reason: 'refused' }) },
  ],
  ['told as sent 1 times and was 0 times', { messages: [] }],
  ['gw_1 sent 21 messages in a day', { gateways: [{ ...gateway, sentBefore: 20 }] }],
  [
    '\\+40722000001 got 6 messages in a day',
    {
      tasks: Array.from({ length: 6 }, (_, place) => ({ ...task, id: `task_${place + 1}` })),
      taskRuns: Array.from({ length: 6 }, (_, place) => ({
        gatewayId,
        taskId: `task_${place + 1}`,
        beganMs: 1_500,
        endedMs: 9_000,
      })),
      messages: Array.from({ length: 6 }, () => ({ gatewayId, to: phoneNumber, text })),
    },
  ],
  ['told with the answer "Gate opened"', { told: answered('Gate opened'), calls: [opened] }],
  ['told with the answer "Opened by your call"', { told: answered('Opened by your call') }],
  ['told with the answer "007:0040711111111"', { told: answered('007:0040711111111') }],
  ['a message began at 4500 ms while open_1 waited since 1000 ms', { hints: [hint], lines: late }],
  [
    'an ATD at 2500 ms beside a message of 2000 ms',
    { lines: lines(asks, to(2_100, '0011\x1a'), dial(2_500)) },
  ],
] satisfies readonly (readonly [string, Partial<Truth>])[])('finds that %s', (violation, wrong) => {
  expect(check({ ...good, ...wrong })).toEqual([expect.stringMatching(`^T3: .*${violation}`)])
})

it.each([
  { to: '+40722999999', text },
  { to: phoneNumber, text: 'hello' },
])('finds a message that nobody asked for: %j', message => {
  const found = check({ ...good, messages: [...good.messages, { gatewayId, ...message }] })
  expect(found).toEqual([expect.stringContaining('was sent 1 times and asked 0 times')])
})
