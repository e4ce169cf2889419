// The process of a stolen gateway: it answers the challenge, keeps its boot, and sends signed reports, beats and claims as fast
// as the connection accepts them.

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readEnvelope } from '@callgate/contract/validate'
import { seal, signingKey } from '@callgate/contract/wire/signature'
import { topicOf } from '@callgate/contract/wire/topics'
import { connect } from 'mqtt'

interface Loot {
  readonly gatewayId: string
  readonly mqttUrl: string
  readonly mqttPassword: string
  readonly privateKeyFile: string
  /** An opening of its Space, to be named in its messages. */
  readonly openingId: string
}

const loot = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Loot
const key = signingKey(Buffer.from(readFileSync(loot.privateKeyFile, 'utf8').trim(), 'base64url'))
const { gatewayId, openingId } = loot
const client = connect(loot.mqttUrl, {
  clientId: gatewayId,
  username: gatewayId,
  password: loot.mqttPassword,
  protocolVersion: 4,
  reconnectPeriod: 500,
  queueQoSZero: false,
})
client.on('error', () => {})
let sent = 0
let refused = 0
client.on('close', () => {
  refused++
})

const random128 = () => randomBytes(16).toString('base64url')
const journalId = random128()
const ownBoot = random128()
/** The nonce of the last challenge, and whether the cloud has accepted the boot. */
let nonce: string | undefined
let isTakenUp = false
client.on('connect', () => client.subscribe(topicOf(gatewayId, 'ack'), { qos: 1 }))
client.on('message', (_topic, payload) => {
  const ack = readEnvelope(payload)
  if (!ack.ok || ack.value.bootId !== ownBoot) return
  if (ack.value.nonce !== undefined) nonce = ack.value.nonce
  if (/taken_up/.test(ack.value.body)) isTakenUp = true
})

const startedMs = performance.now()
const sinceBootMs = () => Math.round(performance.now() - startedMs)
const modem = {
  state: 'ready',
  model: 'SIM800L',
  operator: null,
  registration: 'home',
  signalDbm: -60,
  voltageMv: 4_000,
}
const beat = () => ({
  online: true,
  connectionId: journalId,
  journalId,
  toReport: [],
  version: '1',
  uptimeS: 1,
  sinceBootMs: sinceBootMs(),
  modem,
  queueLength: 0,
})

/** One message of each kind, valid in form. */
const kinds = [
  () => ({ type: 'report' as const, openingId, body: { phase: 'declined', reason: 'modem_busy' } }),
  () => ({
    type: 'claim' as const,
    openingId,
    nonce: random128(),
    body: { modemId: 'x', sinceBootMs: sinceBootMs() },
  }),
  () => ({ type: 'beat' as const, ...(nonce !== undefined && { nonce }), body: beat() }),
]

function say(turn: number): void {
  const message = kinds[turn % kinds.length]?.()
  if (!message) return
  sent++
  const { body, type, ...header } = message
  // Sometimes from another boot, or with a repeated sequence number.
  const bootId = turn % 8 === 0 ? random128() : ownBoot
  const place = { gatewayId, bootId, seq: turn % 5 === 0 ? 1 : sent, ...header }
  client.publish(topicOf(gatewayId, type), seal(key, { type, ...place, body: JSON.stringify(body) }), {
    qos: 0,
  })
}

let turns = 0
function speak(): void {
  for (let message = 0; client.connected && message < 50; message++) say(++turns)
  setTimeout(speak, 10)
}

speak()
process.on('message', () => process.send?.({ sent, isTakenUp, cutOff: refused }))
// The command has ended.
process.on('disconnect', () => process.exit(0))
process.send?.({ sent, isTakenUp, cutOff: refused })
