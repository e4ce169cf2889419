// The people who press in a simulation, and a press at one run of a cloud, with or without an Idempotency-Key.

import type { Database } from '@callgate/cloud/database/database'
import { createIdempotency, hashesOf, type Idempotency } from '@callgate/cloud/http/idempotency'
import type { Reply } from '@callgate/cloud/http/reply'
import type { Exchange } from '@callgate/cloud/opening/exchange'
import type { Actor, Press } from '@callgate/cloud/opening/presses'
import { moment, type World } from '@callgate/world/world'
import type { HouseIds } from './furnish.ts'

/**
 * Who presses: a guest, by the place in the list; the user of the dashboard; the API key of the other Space, whose gate has the
 * number of the first gate; undefined: the API key.
 */
export type Presser = number | 'user' | 'other Space' | undefined

/** A press with an Idempotency-Key. */
export interface Keyed {
  readonly key: string
  /** Called in the transaction that makes an opening for the key. */
  readonly made: (openingId: string) => void
}

/** A gate by its place in the list, and its presser. */
export type PressRequest = readonly [gate: number, who?: Presser, keyed?: Keyed]

/** The parts of a cloud's run that a press needs. */
export interface Pressed {
  readonly world: World
  readonly exchange: Pick<Exchange, 'press'>
  readonly idempotency: Idempotency
}

const byKey = { actorType: 'owner', actorName: 'api:door', actorEmail: null } as const

function actorOf({ apiKeyId, guests, sessionId, userId }: HouseIds, who: Presser): Actor {
  if (who === 'user')
    return { actorType: 'owner', actorName: 'Olga', actorEmail: 'olga@example.com', userId, sessionId }
  const by = typeof who === 'number' ? guests[who] : undefined
  if (!by) return { ...byKey, apiKeyId }
  const { accessId, memberId } = by
  return { actorType: 'guest', actorName: 'guest', actorEmail: null, memberId, accessId }
}

/** The request of a press, without its time. */
function askedOf(ids: HouseIds, gate: number, who: Presser): Omit<Press, 'since'> {
  const { other } = ids
  if (who === 'other Space' && other)
    return { spaceId: other.spaceId, gateId: other.gateId, actor: { ...byKey, apiKeyId: other.apiKeyId } }
  return { spaceId: ids.spaceId, gateId: ids.gateIds[gate] ?? '', actor: actorOf(ids, who) }
}

/** The stored data need not be secret here. */
const openSeal = { seal: (text: string) => text, unseal: (text: string) => text }

export const idempotencyOf = (world: World, database: Database): Idempotency =>
  createIdempotency({ world, database, seal: openSeal })

const toReply = (answer: object): Reply => ({ status: 202, headers: {}, body: JSON.stringify(answer) })
/** As long as a request waits for another one with its key. */
const waitMs = 20_000

/** A request with the same key still runs. */
export const stillRunning = new Error('a request with this Idempotency-Key still runs')

/** Presses, and returns the opening. */
export async function pressAt(
  { exchange, idempotency, world }: Pressed,
  ids: HouseIds,
  [gate, who, keyed]: PressRequest,
): Promise<string> {
  const press = { ...askedOf(ids, gate, who), since: moment(world) }
  async function opened(inTransaction?: Press['inTransaction']): Promise<string> {
    const pressed = await exchange.press({ ...press, ...(inTransaction && { inTransaction }) })
    if (!pressed) throw new Error(`there is no gate ${gate}`)
    return pressed.openingId
  }
  if (!keyed) return opened()
  const path = `/api/v1/gates/${press.gateId}/open`
  const hashes = hashesOf({ method: 'POST', path, key: keyed.key, body: undefined })
  const asked = { ...hashes, askerId: ids.apiKeyId, receivedAt: press.since, waitMs }
  const { body } = await idempotency.answer(asked, toReply, async (_, { keepOpening, openingId }) => ({
    openingId:
      openingId ??
      (await opened(async (tx, id) => {
        await keepOpening(tx, id)
        keyed.made(id)
      })),
  }))
  const { openingId } = JSON.parse(body ?? '{}') as { readonly openingId?: string }
  if (openingId === undefined) throw stillRunning
  return openingId
}
