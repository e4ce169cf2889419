// A daemon with its journal, and a modem and a cloud that a judge plays.

import { callProfile } from '@callgate/contract/callProfile'
import type { Beat, Envelope, Report } from '@callgate/contract/messages'
import type { MqttHandlers } from '@callgate/contract/mqttConnection'
import { type SigningKey, seal, signingKey, verifyingKey } from '@callgate/contract/signature'
import { topicOf } from '@callgate/contract/topics'
import { createDaemon } from '@callgate/gateway/daemon'
import { openJournal } from '@callgate/gateway/journal'
import type { JournalDisk } from '@callgate/gateway/journalDisk'
import { type MemoryDisk, memoryDisk } from '@callgate/gateway/memoryDisk'
import type { DialResult, Modem } from '@callgate/modem/modem'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'

const key = (byte: number) => signingKey(new Uint8Array(32).fill(byte))
const cloud = key(1)
const own = key(2)
export const stranger = key(3)
const cloudKey = verifyingKey(cloud.publicKey)

const opened: DialResult = {
  dialled: true,
  verdict: {
    status: 'completed',
    reason: 'rejected_after_ring',
    confidence: 'likely',
    opened: 'likely',
    safeToRetry: false,
    cause: 17,
    endToken: 'BUSY',
    setupMs: 2_000,
    ringMs: 1_500,
    talkMs: null,
    witnesses: ['clcc'],
  },
  evidence: { modem: null, operator: null, signalDbm: null, events: [] },
}

interface Conditions {
  readonly disk?: MemoryDisk
  readonly seed?: number
  /** A sync of the journal takes so long, once the daemon runs. */
  readonly syncMs?: number
  /** From `dial` to the question whether it may be dialled. */
  readonly lineMs?: number
}

export type Played = Awaited<ReturnType<typeof playedGateway>>

/** The disk, with a sync that takes its time. */
function slowly(disk: MemoryDisk, wait: () => Promise<void>): JournalDisk {
  return {
    ...disk,
    async open(name, how) {
      const file = await disk.open(name, how)
      if (!file.ok) return file
      const { append, close, sync } = file.value
      return { ok: true, value: { append, close, sync: () => wait().then(sync) } }
    },
  }
}

function playedModem(world: FakeWorld, lineMs: number) {
  const written: string[] = []
  let end: (result: DialResult) => void = () => {}
  const status = {
    state: 'ready',
    trouble: null,
    modemId: null,
    model: null,
    operator: null,
    registration: 'home',
    signalDbm: null,
    voltageMv: null,
  } as const
  const modem: Modem = {
    start: () => {},
    status: () => status,
    onStatus: listener => listener(status),
    reserve: async () => ({ ok: true }),
    release: () => {},
    async dial({ mayDial, phoneNumber }) {
      if (lineMs > 0) await new Promise<void>(resolve => world.after(lineMs, resolve))
      if (!mayDial()) return { dialled: false, why: 'stale' }
      written.push(phoneNumber)
      return new Promise(resolve => {
        end = resolve
      })
    },
    hangUp: async () => end(opened),
    close: async () => {},
  }
  return { modem, written, end: () => end(opened) }
}

/** A connected daemon; `disk` is the one that an earlier one left. */
export async function playedGateway({
  disk = memoryDisk(),
  seed = 1,
  syncMs = 0,
  lineMs = 0,
}: Conditions = {}) {
  const world = fakeWorld(seed)
  let suspendedMs = 0
  const daemonWorld = { ...world, sinceBootMs: () => world.monotonicMs() + suspendedMs }
  const gatewayId = newId(fakeWorld(99), 'gw')
  const openingId = newId(fakeWorld(77), 'open')
  let isRunning = false
  const wait = () =>
    isRunning && syncMs > 0 ? new Promise<void>(resolve => world.after(syncMs, resolve)) : Promise.resolve()
  const kept = await openJournal({ world, disk: slowly(disk, wait) })
  if (!kept.ok || !cloudKey) throw new Error('no journal or no key')
  const modem = playedModem(world, lineMs)
  const sent: Envelope[] = []
  let handlers: MqttHandlers | undefined
  const daemon = createDaemon({
    world: daemonWorld,
    gatewayId,
    signingKey: own,
    cloudKeys: [cloudKey],
    portName: 'memory',
    modem: modem.modem,
    journal: kept.journal,
    onSuperseded: () => {},
    connect(_, given) {
      handlers = given
      const publish = (payload: string) => sent.push(JSON.parse(payload)) > 0
      return {
        isConnected: () => true,
        publish: (_topic, payload) => publish(payload),
        close: async () => {},
      }
    },
  })
  daemon.start()
  handlers?.onConnect()
  await world.advance(0)
  isRunning = true

  const ofType = (type: Envelope['type']) => sent.filter(envelope => envelope.type === type)
  const say = (kind: 'hint' | 'grant' | 'ack', payload: string) =>
    handlers?.onMessage(topicOf(gatewayId, kind), Buffer.from(payload))
  /** The last claim's own words, for a grant to it. */
  function asked() {
    const { bootId = daemon.bootId, nonce = 'n'.repeat(22) } = ofType('claim').at(-1) ?? {}
    return { type: 'grant', gatewayId, openingId, bootId, nonce } as const
  }
  const granting = (phoneNumber: string) =>
    JSON.stringify({ granted: true, phoneNumber, callProfile: callProfile({ mode: 'reject' }) })

  return {
    world,
    disk,
    openingId,
    written: () => modem.written,
    endCall: modem.end,
    suspend(byMs: number) {
      suspendedMs += byMs
    },
    hint: () => say('hint', JSON.stringify({ openingId })),
    grant(header: Partial<Envelope> = {}, by: SigningKey = cloud, phoneNumber = '+40722123456') {
      say('grant', seal(by, { ...asked(), ...header, type: 'grant', body: granting(phoneNumber) }))
    },
    /** A grant for one number, with another put into it afterwards. */
    alterGrant() {
      const envelope: Envelope = JSON.parse(seal(cloud, { ...asked(), body: granting('+40722123456') }))
      say('grant', JSON.stringify({ ...envelope, body: granting('+40722999999') }))
    },
    acknowledge(by: SigningKey = cloud) {
      for (const { bootId = '', openingId: of = '', seq = 1 } of ofType('report'))
        say(
          'ack',
          seal(by, { type: 'ack', gatewayId, openingId: of, bootId, seq, body: '{"result":"applied"}' }),
        )
    },
    reports: (): Report['phase'][] => ofType('report').map(({ body }) => JSON.parse(body).phase),
    lastReport: () => ofType('report').at(-1)?.body ?? '',
    beat: (): Beat => JSON.parse(ofType('beat').at(-1)?.body ?? '{}'),
    stop: daemon.stop,
  }
}
