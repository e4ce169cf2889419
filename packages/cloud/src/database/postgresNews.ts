// News of commits between the processes of one Postgres: each informs the others which Spaces have new events.

import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { type CommittedEvent, type News, readEvent } from './commits.ts'
import type { Session } from './postgresSession.ts'

const channel = 'callgate_events'
/** A payload of NOTIFY has less than 8,000 bytes; an id of a Space has at most 40. */
const mostIds = 150
/** From a lost connection to the next attempt, milliseconds. News is missed until then. */
const againAfterMs = 1_000

/**
 * News by LISTEN and NOTIFY. News may be lost, so its listeners also poll from time to time. NOTIFY runs after the commit and not
 * in it: commits with a NOTIFY all wait for each other's fsync. Without a `world` a lost connection is not opened again.
 */
export class PostgresNews implements News {
  /** No other process serves the data, so none listens. Commands of the operator still inform this one. */
  isAlone = false
  readonly #knex: Knex
  readonly #world: Pick<World, 'after' | 'log'> | undefined
  readonly #listeners = new Set<Parameters<News['hear']>[0]>()
  #waiting = new Set<string>()
  #last: CommittedEvent | undefined
  #sending: Promise<void> | undefined
  #listening: Promise<Session> | undefined
  /** The process number of the session that listens. Our own news carries it, so that we ignore that. */
  #own = 0
  #isLost = false
  #isClosed = false

  constructor(knex: Knex, world: Pick<World, 'after' | 'log'> | undefined) {
    this.#knex = knex
    this.#world = world
  }

  tell(spaceIds: ReadonlySet<string>, last: CommittedEvent): void {
    if (this.isAlone) return
    this.#last = last
    for (const spaceId of spaceIds) this.#waiting.add(spaceId)
    this.#sending ??= this.#send()
      .catch((error: unknown) => this.#world?.log.debug('news were not told', { why: String(error) }))
      .finally(() => {
        this.#sending = undefined
      })
  }

  hear(then: Parameters<News['hear']>[0]): () => void {
    this.#listeners.add(then)
    this.#listen()
    return () => this.#listeners.delete(then)
  }

  async close(): Promise<void> {
    await this.#sending
    this.#isClosed = true
    const session = await this.#listening?.catch(() => undefined)
    await session?.end()
  }

  async #send(): Promise<void> {
    while (this.#waiting.size > 0) {
      const spaceIds = [...this.#waiting]
      this.#waiting = new Set()
      for (let from = 0; from < spaceIds.length; from += mostIds) {
        // The event contains no space. An older version reads it as the id of a Space that nobody follows.
        const payload = [this.#own, JSON.stringify(this.#last), ...spaceIds.slice(from, from + mostIds)].join(
          ' ',
        )
        await this.#knex.raw('select pg_notify(?, ?)', [channel, payload])
      }
    }
  }

  #hear(payload: string): void {
    const [from, ...told] = payload.split(' ')
    if (Number(from) === this.#own) return
    const last = told[0]?.startsWith('{') ? readEvent(told[0]) : undefined
    const spaceIds = new Set(last ? told.slice(1) : told)
    for (const then of this.#listeners) then(spaceIds, last)
  }

  #listen(): void {
    if (this.#isClosed || this.#listening !== undefined) return
    const mine = this.#connect()
    this.#listening = mine
    mine.catch(why => this.#lost(why))
  }

  async #connect(): Promise<Session> {
    const session: Session = await this.#knex.client.acquireRawConnection()
    let isLost = false
    const lost = (why: unknown) => {
      if (!isLost) this.#lost(why)
      isLost = true
    }
    session.on('notification', ({ payload = '' }) => this.#hear(payload))
    session.on('error', lost)
    session.on('end', () => lost('the connection has ended'))
    try {
      const { rows } = await session.query('select pg_backend_pid() as own')
      this.#own = Number(rows[0]?.own)
      await session.query(`listen ${channel}`)
      this.#isLost = false
    } catch (error) {
      lost(error)
      await session.end()
    }
    return session
  }

  #lost(why: unknown): void {
    this.#listening = undefined
    if (this.#isClosed) return
    // One warning for each loss, because a new connection is tried every second.
    if (!this.#isLost) this.#world?.log.warn('news of other processes are not heard', { why: String(why) })
    this.#isLost = true
    this.#world?.after(againAfterMs, () => this.#listen())
  }
}
