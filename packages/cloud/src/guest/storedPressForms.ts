// The forms of the guest's page where replicas share them: each presses once over all of them.

import { hash } from 'node:crypto'
import type { World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import { type SqlByTime, sqlByTime } from '../limit/sqlByTime.ts'
import type { Sweep } from '../limit/storedLimits.ts'
import type { Seal } from '../secrets/sealing.ts'
import {
  type FormPlace,
  formLifeMs,
  type Issue,
  type KeepPress,
  type Pressed,
  type PressForms,
} from './pressForms.ts'

/** How long a press of a dead replica blocks its form, in milliseconds; after that the form may press again. */
export const pressLeaseMs = 15_000
const checkEveryMs = 100

const contextOf = ({ accessId, gateId, memberId, visitor }: FormPlace, atMs: string) =>
  JSON.stringify(['guest form', visitor, memberId, gateId, accessId, atMs])

/** `<milliseconds since the epoch>.<seal>`: the seal can be opened for this place and time only. */
function partsOf(nonce: string): { atMs: string; sealed: string } {
  const [, atMs = '', sealed = ''] = /^(\d{13})\.(\d{1,6}\.[\w-]{1,80})$/.exec(nonce) ?? []
  return { atMs, sealed }
}

interface Row {
  readonly openingId: string | null
  readonly leaseUntilMs: number
  readonly nowMs: number
}

/** Claims a nonce, unless another claim of it is valid or has pressed; returns a row where it did. */
const claimSql = `
  insert into "pressedForms" ("nonceHash", "claim", "leaseUntilMs", "keptUntilMs")
  select ?, ?, "at" + ${pressLeaseMs}, "at" + ${2 * formLifeMs} from (select :now as "at") as "clock" where true
  on conflict ("nonceHash") do update set "claim" = excluded."claim", "leaseUntilMs" = excluded."leaseUntilMs"
  where "pressedForms"."openingId" is null and "pressedForms"."leaseUntilMs" <= :now
  returning "claim"`

/** Another request has the claim of this form now, or has pressed with it. The transaction that throws it is rolled back. */
class ClaimLost extends Error {}

class StoredPressForms implements PressForms {
  readonly #parts: { readonly database: Database; readonly seal: Seal; readonly world: World }
  readonly #time: SqlByTime

  constructor(parts: { database: Database; seal: Seal; world: World }, time: SqlByTime) {
    this.#parts = parts
    this.#time = time
  }

  async issuer(): Promise<Issue> {
    const atMs = String(await this.#nowMs())
    return place => `${atMs}.${this.#parts.seal.seal('', contextOf(place, atMs))}`
  }

  async ageMs(place: FormPlace, nonce: string): Promise<number | undefined> {
    const { atMs, sealed } = partsOf(nonce)
    if (this.#parts.seal.unseal(sealed, contextOf(place, atMs)) === undefined) return undefined
    const ageMs = Math.max(0, (await this.#nowMs()) - Number(atMs))
    return ageMs < formLifeMs ? ageMs : undefined
  }

  async isRemembered(nonce: string): Promise<boolean> {
    const { atMs } = partsOf(nonce)
    return atMs !== '' && (await this.#nowMs()) - Number(atMs) < formLifeMs
  }

  async pressed(nonce: string): Promise<{ readonly opening: Pressed } | undefined> {
    for (;;) {
      const row = await this.#find(nonce)
      if (!row) return undefined
      if (row.openingId !== null) return { opening: { openingId: row.openingId } }
      if (Number(row.leaseUntilMs) <= Number(row.nowMs)) return undefined
      await new Promise<void>(resolve => this.#parts.world.after(checkEveryMs, resolve))
    }
  }

  async press(
    nonce: string,
    press: (keep: KeepPress) => Promise<Pressed | undefined>,
  ): Promise<Pressed | undefined> {
    const { database, world } = this.#parts
    const nonceHash = hashOf(nonce)
    const claim = Buffer.from(world.randomBytes(16)).toString('base64url')
    const claimed = await this.#time.run(database.knex, claimSql, [nonceHash, claim])
    if (claimed.length === 0) {
      const known = await this.pressed(nonce)
      return known ? known.opening : this.press(nonce, press)
    }
    const mine = { nonceHash, claim, openingId: null }
    const keep: KeepPress = async (tx, openingId) => {
      if ((await tx('pressedForms').where(mine).update({ openingId })) !== 1) throw new ClaimLost()
    }
    let opening: Pressed | undefined
    try {
      opening = await press(keep)
    } catch (error) {
      await this.#release(mine)
      if (!(error instanceof ClaimLost)) throw error
      return this.press(nonce, press)
    }
    if (!opening) await this.#release(mine)
    return opening
  }

  /** Has no effect where the press was committed although its answer was lost. Where it fails, the lease ends the claim. */
  async #release(mine: { nonceHash: string; claim: string; openingId: null }): Promise<void> {
    const { database, world } = this.#parts
    await database
      .write(tx => tx('pressedForms').where(mine).delete(), { spaceId: null })
      .catch((error: unknown) => world.log.debug('a form was not released', { why: String(error) }))
  }

  async #find(nonce: string): Promise<Row | undefined> {
    const sql =
      'select "openingId", "leaseUntilMs", :now as "nowMs" from "pressedForms" where "nonceHash" = ?'
    const [row] = await this.#time.run(this.#parts.database.knex, sql, [hashOf(nonce)])
    return row as Row | undefined
  }

  async #nowMs(): Promise<number> {
    const [row] = await this.#time.run(this.#parts.database.knex, 'select :now as "nowMs"', [])
    return Number((row as Pick<Row, 'nowMs'>).nowMs)
  }
}

const hashOf = (nonce: string) => hash('sha256', nonce, 'base64url')

/** Deletes forms that nobody can press any more. */
export const forgetPressedForms: Sweep = (db, time) =>
  time.run(db, 'delete from "pressedForms" where "keptUntilMs" <= :now', [])

/**
 * Forms that every replica knows: sealed with the shared keys, dated by the clock of the database, and stored there once they
 * have pressed. A press with an unknown end blocks its form for at most 15 s. `isByWorld`: the time is that of the world, for
 * tests that move it.
 */
export function storedPressForms(
  parts: { readonly database: Database; readonly seal: Seal; readonly world: World },
  isByWorld = false,
): PressForms {
  return new StoredPressForms(parts, sqlByTime(parts.world, isByWorld))
}
