// A daemon with its journal, for tests that play its modem and its cloud.

import { callProfile } from '@callgate/contract/call/callProfile'
import { exampleVerdict } from '@callgate/contract/call/verdict'
import type { Ack, Beat, Envelope, Grant, KeyStatement, Report } from '@callgate/contract/wire/messages'
import {
  type SigningKey,
  seal,
  signingKey,
  type VerifyingKey,
  verifyingKey,
} from '@callgate/contract/wire/signature'
import type { Task } from '@callgate/contract/wire/tasks'
import { type DownKind, topicOf } from '@callgate/contract/wire/topics'
import type { DialRequest, DialResult, Modem, ModemStatus } from '@callgate/modem/modem'
import type { MqttHandlers } from '@callgate/mqtt/mqttConnection'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { openCloudKeys } from './cloudKeys.ts'
import type { Connect } from './cloudWire.ts'
import { Daemon } from './daemon.ts'
import { openJournal } from './journal.ts'
import type { JournalDisk } from './journalDisk.ts'
import { type MemoryDisk, memoryDisk } from './memoryDisk.kit.ts'
import type { TaskRunners } from './taskRunners.ts'

const key = (byte: number) => signingKey(new Uint8Array(32).fill(byte))
export const cloudKey = key(1)
export const gatewayKey = key(2)
export const strangerKey = key(3)

export function publicHalf({ publicKey }: SigningKey): VerifyingKey {
  const found = verifyingKey(publicKey)
  if (!found) throw new Error('no key')
  return found
}

export const granted = {
  granted: true,
  phoneNumber: '+40722123456',
  callProfile: callProfile({ mode: 'reject' }),
} as const satisfies Grant

const readyStatus: ModemStatus = {
  state: 'ready',
  trouble: null,
  modemId: '861230041234567',
  model: 'SIM800L',
  firmware: null,
  lacks: [],
  operator: 'Net',
  registration: 'home',
  signalDbm: -71,
  voltageMv: 3_950,
  lowestInCallMv: null,
}

export const opened = {
  dialled: true,
  verdict: exampleVerdict,
  evidence: { modem: 'SIM800L', operator: 'Net', signalDbm: -71, events: [] },
} as const satisfies DialResult

/** A modem that dials `lineMs` after the command, if it may. The test ends the call. */
function playedModem(world: FakeWorld, lineMs: number) {
  const dials: DialRequest[] = []
  const written: string[] = []
  let end: (result: DialResult) => void = () => {}
  let listener: (status: ModemStatus) => void = () => {}
  let status = readyStatus
  const modem: Modem = {
    start: () => listener(status),
    status: () => status,
    onStatus(given) {
      listener = given
    },
    reserve: async () => (status.state === 'ready' ? { ok: true } : { ok: false, reason: 'no_network' }),
    release() {},
    async dial(request) {
      dials.push(request)
      if (lineMs > 0) await new Promise<void>(resolve => world.after(lineMs, resolve))
      if (!request.mayDial()) return { dialled: false, why: 'stale' }
      written.push(request.phoneNumber)
      return new Promise(resolve => {
        end = resolve
      })
    },
    ask: async () => ({ result: 'ok', lines: ['+CSQ: 20,0'], why: null }),
    onUnasked: () => () => {},
    ussd: async code => ({ ok: true, text: `Credit for ${code}`, isMenu: false }),
    sms: async () => ({ ok: true, isSent: true, answer: null }),
    recording: () => ({ setUp: null, failedSetUp: null, calls: [] }),
    async hangUp() {
      end(opened)
    },
    async close() {},
  }
  const set = (next: Partial<ModemStatus>) => {
    status = { ...status, ...next }
    listener(status)
  }
  return { modem, dials, written, end: (result: DialResult = opened) => end(result), set }
}

/** The same disk, with a wait before each sync. */
function slowly(disk: MemoryDisk, wait: () => Promise<void>): JournalDisk {
  return {
    ...disk,
    async open(name) {
      const file = await disk.open(name)
      if (!file.ok) return file
      const { append, close, sync } = file.value
      return { ok: true, value: { append, close, sync: () => wait().then(sync) } }
    },
  }
}

export interface RigConditions {
  /** The disk of an earlier daemon; by default an empty one. */
  readonly disk?: MemoryDisk
  readonly seed?: number
  /** How long a sync of the journal takes once the daemon is connected. Milliseconds. */
  readonly syncMs?: number
  /** The time from the command to dial until `mayDial` is called. Milliseconds. */
  readonly lineMs?: number
  readonly taskRunners?: TaskRunners
  /** Called when the daemon subscribes, and when it sends. */
  readonly onSubscribed?: (topics: readonly string[], extra: readonly string[]) => void
  readonly onSent?: (topic: string, payload: string) => void
}

export type DaemonRig = Awaited<ReturnType<typeof daemonRig>>

interface SentMessage {
  readonly envelope: Envelope
  readonly atMs: number
}

/** A connection that records what the daemon sends. */
function playedConnection(world: FakeWorld, { onSent, onSubscribed }: RigConditions) {
  const sent: SentMessage[] = []
  const will: string[] = []
  let handlers: MqttHandlers | undefined
  let makeWill = () => ''
  let isConnected = false

  function receive(topic: string, payload: string) {
    onSent?.(topic, payload)
    sent.push({ envelope: JSON.parse(payload), atMs: Math.floor(world.monotonicMs()) })
  }

  const open: Connect = (options, given) => {
    handlers = given
    makeWill = () => options.will().payload
    will.push(makeWill())
    onSubscribed?.(options.subscribe, options.extra)
    return {
      isConnected: () => isConnected,
      publish(topic, payload) {
        if (isConnected) receive(topic, payload)
        return isConnected
      },
      async close(lastWords) {
        if (lastWords && isConnected) receive(lastWords.topic, lastWords.payload)
        isConnected = false
      },
    }
  }

  return {
    sent,
    will,
    open,
    isConnected: () => isConnected,
    connect() {
      isConnected = true
      handlers?.onConnect()
    },
    disconnect() {
      isConnected = false
      handlers?.onDisconnect()
      // The will of the next connection, which it names.
      will.push(makeWill())
    },
    deliver: (topic: string, payload: string) => handlers?.onMessage(topic, Buffer.from(payload)),
  }
}

/** The messages that the gateway has sent, by type. */
function readSent(sent: readonly SentMessage[]) {
  const ofType = (type: Envelope['type']) =>
    sent.filter(({ envelope }) => envelope.type === type).map(({ envelope }) => envelope)
  const last = (type: Envelope['type']): Envelope => {
    const found = ofType(type).at(-1)
    if (!found) throw new Error(`no ${type} was sent`)
    return found
  }
  return {
    ofType,
    last,
    reports: (): Report['phase'][] => ofType('report').map(({ body }) => JSON.parse(body).phase),
    beat: (): Beat => JSON.parse(last('beat').body),
  }
}

/** The cloud's messages to the gateway. */
function playedCloud(gatewayId: string, deliver: (topic: string, payload: string) => void) {
  const say = (kind: DownKind, payload: string) => deliver(topicOf(gatewayId, kind), payload)
  return {
    say,
    /** The answer to a claim, a report or a beat, as the cloud signs it. */
    answer(
      type: 'grant' | 'ack' | 'task',
      to: Partial<Envelope>,
      body: Grant | Ack | KeyStatement | Task,
      by = cloudKey,
    ) {
      const { bootId, nonce, openingId, seq } = to
      const header = {
        ...(openingId !== undefined && { openingId }),
        ...(nonce !== undefined && { nonce }),
        ...(bootId !== undefined && { bootId }),
        ...(seq !== undefined && { seq }),
      }
      const message = { type, gatewayId: to.gatewayId ?? gatewayId, ...header, body: JSON.stringify(body) }
      say(type, seal(by, message))
    },
  }
}

/** A daemon that `start` starts and connects. */
export async function daemonRig(conditions: RigConditions = {}) {
  const { disk = memoryDisk(), lineMs = 0, seed = 1, syncMs = 0 } = conditions
  const world = fakeWorld(seed)
  const gatewayId = newId(fakeWorld(99), 'gw')
  const openingId = newId(fakeWorld(77), 'open')
  const modem = playedModem(world, lineMs)
  const { connect, deliver, disconnect, isConnected, open, sent, will } = playedConnection(world, conditions)
  const cloud = playedCloud(gatewayId, deliver)
  const read = readSent(sent)
  const dismissed = new Set<'superseded' | 'forgotten'>()
  let suspendedMs = 0
  const wait = () =>
    isConnected() && syncMs > 0
      ? new Promise<void>(resolve => world.after(syncMs, resolve))
      : Promise.resolve()
  const kept = await openJournal({ world, disk: slowly(disk, wait) })
  if (!kept.ok) throw new Error(kept.message)
  const { journal } = kept

  const daemon = new Daemon({
    world: { ...world, sinceBootMs: () => world.monotonicMs() + suspendedMs },
    gatewayId,
    signingKey: gatewayKey,
    cloudKeys: await openCloudKeys({ world, disk, configured: [publicHalf(cloudKey)] }),
    portName: '/dev/ttyUSB0',
    modem: modem.modem,
    journal,
    disk,
    onSuperseded: () => dismissed.add('superseded'),
    onForgotten: () => dismissed.add('forgotten'),
    connect: open,
    ...(conditions.taskRunners && { taskRunners: conditions.taskRunners }),
  })

  return {
    ...cloud,
    ...read,
    world,
    daemon,
    modem,
    disk,
    journal,
    sent,
    will,
    gatewayId,
    openingId,
    connect,
    disconnect,
    isSuperseded: () => dismissed.has('superseded'),
    isForgotten: () => dismissed.has('forgotten'),
    hint: () => cloud.say('hint', JSON.stringify({ openingId })),
    suspend(byMs: number) {
      suspendedMs += byMs
    },
    start() {
      daemon.start()
      connect()
      cloud.answer('ack', read.last('beat'), { result: 'taken_up' })
    },
  }
}
