// One gateway of a fleet: real signed messages over a bare MQTT connection, and no modem. It reports a verdict at once.

import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { exampleVerdict } from '@callgate/contract/call/verdict'
import type { Ack, Beat, Envelope, Grant, Report } from '@callgate/contract/wire/messages'
import { type SigningKey, seal } from '@callgate/contract/wire/signature'
import { beatEveryMs } from '@callgate/contract/wire/timing'
import { downKinds, topicOf, type UpKind } from '@callgate/contract/wire/topics'
import { backoff } from '@callgate/world/backoff'
import type { World } from '@callgate/world/world'
import { generate, type Packet, parser } from 'mqtt-packet'
import { fleetKey, fleetPassword } from './fleetData.ts'

const random128 = () => randomBytes(16).toString('base64url')
const verdict: Report = { phase: 'ended', sinceClaimMs: 100, verdict: exampleVerdict, evidence: null }
const modem = {
  state: 'ready',
  model: 'SIM800C',
  operator: 'Orange RO',
  registration: 'home',
  signalDbm: -71,
  voltageMv: 4_020,
} as const

/** The counters of a fleet. */
export interface FleetNotes {
  beats: number
  /** When the broker accepted the first beat of the current connection, by gateway; milliseconds by the machine's clock. */
  readonly since: Map<string, number>
  /** When the grant of an opening arrived. */
  readonly granted: Map<string, number>
}

/** Where calls last, a claim is repeated while it is fresh, because the cloud that grants it may be killed. Milliseconds. */
const claimAgainMs = 1_000
const claimTries = 6
/** The interval of repeating a report until it is acknowledged, as in the daemon. Milliseconds. */
const reportAgainMs = 3_000

/** The connection of a fleet's gateway to the broker, and the length of its calls. */
export interface FleetPlace {
  readonly port: number
  readonly localAddress: string
  /** From the grant to the report, in milliseconds; undefined: at once. */
  readonly callForMs?: number
}

export const nowMs = () => Number(process.hrtime.bigint()) / 1e6

export class FleetGateway {
  readonly #gatewayId: string
  readonly #world: World
  readonly #at: FleetPlace
  readonly #notes: FleetNotes
  readonly #key: SigningKey
  readonly #bootId = random128()
  readonly #journalId = random128()
  readonly #tries: ReturnType<typeof backoff>
  readonly #claimed = new Map<string, string>()
  readonly #reported = new Set<string>()
  #connectionId = random128()
  #nonce: string | undefined
  #isTakenUp = false
  #seq = 0
  #messageId = 0
  #firstBeat = 0
  #socket: Socket | undefined
  #beatTimer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(gatewayId: string, world: World, at: FleetPlace, notes: FleetNotes) {
    this.#gatewayId = gatewayId
    this.#world = world
    this.#at = at
    this.#notes = notes
    this.#key = fleetKey(gatewayId)
    this.#tries = backoff(world)
  }

  connect(): void {
    const { localAddress, port } = this.#at
    const socket = connect({ host: '127.0.0.1', port, localAddress })
    const packets = parser()
    this.#socket = socket
    this.#connectionId = random128()
    packets.on('packet', packet => this.#receive(packet))
    socket.setNoDelay(true)
    socket.on('connect', () => this.#login())
    socket.on('data', bytes => packets.parse(bytes))
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#notes.since.delete(this.#gatewayId)
      clearTimeout(this.#beatTimer)
      if (!this.#isStopped) setTimeout(() => this.connect(), this.#tries.nextMs())
    })
  }

  stop(): void {
    this.#isStopped = true
    this.#socket?.destroy()
  }

  #login(): void {
    const id = this.#gatewayId
    const will = { topic: topicOf(id, 'beat'), payload: Buffer.from(this.#sealBeat(false)), qos: 1 } as const
    const login = { username: id, password: Buffer.from(fleetPassword(id)), keepalive: 20 }
    const protocol = { protocolId: 'MQTT', protocolVersion: 4, clean: true } as const
    this.#send({ cmd: 'connect', clientId: id, ...protocol, ...login, will: { ...will, retain: false } })
  }

  #receive(packet: Packet): void {
    if (packet.cmd === 'connack' && packet.returnCode === 0) {
      const subscriptions = downKinds.map(kind => ({
        topic: topicOf(this.#gatewayId, kind),
        qos: 1 as const,
      }))
      this.#send({ cmd: 'subscribe', messageId: this.#nextId(), subscriptions })
    } else if (packet.cmd === 'suback') {
      this.#tries.reset()
      this.#firstBeat = this.#beat()
      this.#planBeat(Math.random() * beatEveryMs)
    } else if (packet.cmd === 'puback' && packet.messageId === this.#firstBeat) {
      this.#notes.since.set(this.#gatewayId, nowMs())
    } else if (packet.cmd === 'publish') {
      this.#send({ cmd: 'puback', messageId: packet.messageId ?? 0 })
      this.#read(packet.topic.split('/').at(-1) ?? '', packet.payload.toString())
    }
  }

  #read(kind: string, payload: string): void {
    if (kind === 'hint') this.#claim((JSON.parse(payload) as { openingId: string }).openingId)
    if (kind === 'grant') this.#dial(JSON.parse(payload) as Envelope)
    if (kind === 'ack') this.#follow(JSON.parse(payload) as Envelope)
  }

  #follow({ body, nonce, openingId }: Envelope): void {
    const { result } = JSON.parse(body) as Ack
    if (openingId !== undefined) this.#reported.add(openingId)
    if (result === 'taken_up') this.#isTakenUp = true
    if (result !== 'challenge' || nonce === undefined) return
    this.#nonce = nonce
    this.#firstBeat = this.#beat()
  }

  #claim(openingId: string): void {
    if (this.#claimed.has(openingId)) return
    const nonce = random128()
    this.#claimed.set(openingId, nonce)
    const body = JSON.stringify({ modemId: 'fleet', sinceBootMs: Math.floor(this.#world.sinceBootMs()) })
    const claim = (triesLeft: number) => {
      if (this.#notes.granted.has(openingId) || triesLeft === 0) return
      this.#publish('claim', { openingId, nonce, body })
      if (this.#at.callForMs !== undefined) setTimeout(() => claim(triesLeft - 1), claimAgainMs)
    }
    claim(claimTries)
  }

  #dial({ body, nonce, openingId }: Envelope): void {
    const { granted } = JSON.parse(body) as Grant
    if (!granted || openingId === undefined || this.#claimed.get(openingId) !== nonce) return
    if (this.#notes.granted.has(openingId)) return
    this.#notes.granted.set(openingId, nowMs())
    const { callForMs } = this.#at
    const seq = ++this.#seq
    const report = () => {
      if (this.#isStopped || this.#reported.has(openingId)) return
      this.#publish('report', { openingId, seq, body: JSON.stringify(verdict) })
      if (callForMs !== undefined) setTimeout(report, reportAgainMs)
    }
    if (callForMs === undefined) report()
    else setTimeout(report, callForMs)
  }

  #planBeat(afterMs: number): void {
    this.#beatTimer = setTimeout(() => {
      this.#beat()
      this.#planBeat(beatEveryMs * (0.8 + 0.2 * Math.random()))
    }, afterMs)
  }

  #beat(): number {
    this.#notes.beats += 1
    return this.#put(topicOf(this.#gatewayId, 'beat'), this.#sealBeat(true))
  }

  #sealBeat(online: boolean): string {
    const wire = { online, connectionId: this.#connectionId, journalId: this.#journalId, toReport: [] }
    const sinceBootMs = Math.floor(this.#world.sinceBootMs())
    const condition = { version: 'fleet', uptimeS: 1, takenUp: this.#isTakenUp, sinceBootMs, queueLength: 0 }
    const beat: Beat = { ...wire, ...condition, modem }
    const nonce = online && !this.#isTakenUp && this.#nonce !== undefined ? { nonce: this.#nonce } : {}
    return this.#seal('beat', { ...nonce, seq: ++this.#seq, body: JSON.stringify(beat) })
  }

  #seal(type: UpKind, of: Partial<Envelope> & { readonly body: string }): string {
    return seal(this.#key, { type, gatewayId: this.#gatewayId, bootId: this.#bootId, ...of })
  }

  #publish(kind: UpKind, of: Partial<Envelope> & { readonly body: string }): void {
    this.#put(topicOf(this.#gatewayId, kind), this.#seal(kind, of))
  }

  #put(topic: string, payload: string): number {
    const messageId = this.#nextId()
    this.#send({ cmd: 'publish', topic, payload, qos: 1, messageId, dup: false, retain: false })
    return messageId
  }

  #nextId(): number {
    this.#messageId = (this.#messageId % 65_535) + 1
    return this.#messageId
  }

  #send(packet: Packet): void {
    if (this.#socket?.writable) this.#socket.write(generate(packet))
  }
}
