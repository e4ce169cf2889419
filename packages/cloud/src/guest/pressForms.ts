// The forms of the guest's page: each may press once, for a short time, from the browser to which it was shown.

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { World } from '@callgate/world/world'
import type { Db } from '../database/database.ts'

/** How long a form can press after it was shown. */
export const formLifeMs = 5 * 60_000

/** The purpose of a form, and its browser. */
export interface FormPlace {
  /** The browser's cookie. */
  readonly visitor: string
  readonly memberId: string
  readonly gateId: string
  readonly accessId: string
}

/** The result of a press. */
export interface Pressed {
  readonly openingId: string
}

/** Keeps the opening for the form, in the transaction that creates it. Rejects where the form has pressed already. */
export type KeepPress = (tx: Db, openingId: string) => Promise<void>

export type Issue = (place: FormPlace) => string

/** The forms. A cloud alone answers some questions at once; where replicas share the forms, they ask the database. */
export interface PressForms {
  /**
   * Makes a function that gives a nonce to each new form of one page. Nothing is stored for it, so showing a page has no effect.
   */
  issuer(): Issue | Promise<Issue>
  /** How long ago `nonce` was issued for this place, milliseconds; undefined where it was not, or more than five minutes ago. */
  ageMs(place: FormPlace, nonce: string): number | undefined | Promise<number | undefined>
  /** Whether a press with `nonce` would be known: the nonce was issued less than five minutes ago, and not before a restart. */
  isRemembered(nonce: string): boolean | Promise<boolean>
  /** The result of a nonce; undefined where it has not pressed. It waits for a running press. */
  pressed(nonce: string): Promise<{ readonly opening: Pressed | undefined } | undefined>
  /**
   * Presses with a valid nonce for the first time, otherwise answers with the result of the first press; undefined where there is
   * no such gate. Where `press` fails, nothing was pressed and the nonce may be used again.
   */
  press(nonce: string, press: (keep: KeepPress) => Promise<Pressed | undefined>): Promise<Pressed | undefined>
}

/** The parts of a nonce, unchecked. */
function partsOf(nonce: string): { issued: string; atMs: number; signature: string } {
  const [, issued = '', atMs, signature = ''] = /^((\d{1,15})\.[\w-]{30})\.([\w-]{43})$/.exec(nonce) ?? []
  return { issued, atMs: Number(atMs), signature }
}

const keptInMemory: KeepPress = async () => {}

/** Forms that this process signs with a key of its own. Forms that were shown before a restart press nothing. */
export function createPressForms(world: World): PressForms {
  const key = world.randomBytes(32)
  const own = Buffer.from(world.randomBytes(6)).toString('base64url')
  // Oldest first. The rate limit restricts how many there are in the life of a form.
  const used = new Map<string, { readonly pressed: Promise<Pressed | undefined>; readonly atMs: number }>()

  function sign(place: FormPlace, issued: string): string {
    const { accessId, gateId, memberId, visitor } = place
    const said = JSON.stringify([visitor, memberId, gateId, accessId, issued])
    return createHmac('sha256', key).update(said).digest('base64url')
  }

  function forgetOld(nowMs: number): void {
    for (const [nonce, { atMs }] of used) {
      if (nowMs - atMs < formLifeMs) return
      used.delete(nonce)
    }
  }

  return {
    issuer: () => place => {
      const random = Buffer.from(world.randomBytes(16)).toString('base64url')
      const issued = `${Math.floor(world.sinceBootMs())}.${own}${random}`
      return `${issued}.${sign(place, issued)}`
    },

    ageMs(place, nonce) {
      const { atMs, issued, signature } = partsOf(nonce)
      const expected = Buffer.from(sign(place, issued))
      const given = Buffer.from(signature)
      if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined
      const ageMs = world.sinceBootMs() - atMs
      return ageMs < formLifeMs ? ageMs : undefined
    },

    isRemembered(nonce) {
      const { atMs, issued } = partsOf(nonce)
      return issued.includes(`.${own}`) && world.sinceBootMs() - atMs < formLifeMs
    },

    async pressed(nonce) {
      const known = used.get(nonce)
      return known && { opening: await known.pressed }
    },

    press(nonce, press) {
      const known = used.get(nonce)
      if (known) return known.pressed
      const nowMs = world.sinceBootMs()
      forgetOld(nowMs)
      const pressed = press(keptInMemory).catch((error: unknown) => {
        used.delete(nonce)
        throw error
      })
      used.set(nonce, { pressed, atMs: nowMs })
      return pressed
    },
  }
}
