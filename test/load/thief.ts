// A process with a stolen gateway: signs reports, beats and claims as fast as the connection takes them.

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { seal, signingKey } from '@callgate/contract/signature'
import { topicOf } from '@callgate/contract/topics'
import { connect } from 'mqtt'

interface Loot {
  readonly gatewayId: string
  readonly mqttUrl: string
  readonly mqttPassword: string
  readonly privateKeyFile: string
  /** An opening of its Space that it speaks about. */
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

/** Each kind of message, valid but for what it claims. */
const kinds = [
  () => ({ type: 'report' as const, openingId, body: { phase: 'declined', reason: 'modem_busy' } }),
  () => ({
    type: 'claim' as const,
    openingId,
    nonce: random128(),
    body: { modemId: 'x', sinceBootMs: sinceBootMs() },
  }),
  () => ({ type: 'beat' as const, body: beat() }),
]

function speak(): void {
  for (let message = 0; client.connected && message < 50; message++) {
    sent++
    const { body, type, ...header } = kinds[sent % kinds.length]?.() ?? {
      type: 'beat' as const,
      body: beat(),
    }
    // A new start of the daemon with each, as far as the cloud can see.
    const place = { gatewayId, bootId: random128(), seq: sent, ...header }
    client.publish(topicOf(gatewayId, type), seal(key, { type, ...place, body: JSON.stringify(body) }), {
      qos: 0,
    })
  }
  setTimeout(speak, 10)
}

speak()
process.on('message', () => process.send?.({ sent, cutOff: refused }))
// Nobody is left to disturb.
process.on('disconnect', () => process.exit(0))
process.send?.({ sent, cutOff: refused })
