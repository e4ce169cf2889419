// A fleet as a process: gateways that connect from many loopback addresses, and their records.

import { readFileSync } from 'node:fs'
import { realWorld } from '@callgate/world/real'
import { FleetGateway, type FleetNotes } from './fleetGateway.ts'

/** Connect until the given number is reached, or report the records. */
export interface FleetOrder {
  readonly connect?: number
}

export interface FleetReport {
  readonly beats: number
  /** When the first beat of each current connection was accepted, in milliseconds by the machine's clock. */
  readonly sinceMs: readonly number[]
  /** When each grant arrived, by opening. */
  readonly granted: Readonly<Record<string, number>>
}

/** As with a mobile network, which has many gateways behind few addresses. */
const gatewaysOfAddress = 10
const connectedAtOnce = 200

const [file = '', port = '0'] = process.argv.slice(2)
const gatewayIds = JSON.parse(readFileSync(file, 'utf8')) as readonly string[]
const world = realWorld({ logLevel: 'silent' })
const notes: FleetNotes = { beats: 0, since: new Map(), granted: new Map() }
let made = 0

function addressOf(place: number): string {
  const group = Math.floor(place / gatewaysOfAddress)
  return `127.${1 + Math.floor(group / 62_500)}.${Math.floor(group / 250) % 250}.${1 + (group % 250)}`
}

/** Connects until there are `count`, with few connections being made at a time. */
function connectUntil(count: number): void {
  const goOn = () => {
    const isDone = made >= count
    const onTheWay = made - notes.since.size
    for (let more = onTheWay; more < connectedAtOnce && made < count; more++) {
      const at = { port: Number(port), localAddress: addressOf(made) }
      new FleetGateway(gatewayIds[made] ?? '', world, at, notes).connect()
      made += 1
    }
    if (!isDone) setTimeout(goOn, 20)
  }
  goOn()
}

process.on('message', ({ connect }: FleetOrder) => {
  if (connect !== undefined) return connectUntil(connect)
  const granted = Object.fromEntries(notes.granted)
  const report: FleetReport = { beats: notes.beats, sinceMs: [...notes.since.values()], granted }
  return process.send?.(report)
})
process.on('disconnect', () => process.exit(0))
