// Beats that another cloud answers: the last ones of each gateway are kept as they came, and handled when something needs them.

// Each of several clouds hears each beat, and one of them owns the gateway. To check a signature costs more than all the rest. So
// where a beat seems to say nothing new, a cloud that does not own the gateway keeps it with the moment at which it came, and
// nothing else. A kept beat is handled later with that moment, in the order in which the beats came. So the cloud knows what it
// would know if the network had lost the beats that were dropped, and had delivered the others at once.
//
// A kept beat is not verified, and its sender can say in it what it likes. It counts for nothing before it is handled, except as
// a sign that the cloud hears (`agoMs`). The broker lets only the gateway itself publish it. If somebody else can, those beats
// push no good one out that still shows the gateway as online: faster beats are handled at once.

import type { Envelope } from '@callgate/contract/wire/messages'
import { lockedAtMostMs, offlineAfterMs } from '@callgate/contract/wire/timing'
import { ageMs, type Moment, type World } from '@callgate/world/world'
import { longestCoolDownMs } from '../core/opening.ts'
import type { Replica } from '../replica/replica.ts'

/** How many beats of a gateway are kept: a gateway that nothing happens to sends one every ten seconds. */
const mostKept = 4
/** The longest body that is kept, in characters. A usual one has 600. */
const longestBody = 2_048
/** How long the beats of a Space are handled at once after something needed them: its openings are over by then. Milliseconds. */
export const awakeForMs = lockedAtMostMs + longestCoolDownMs
/** The longest time for which a press waits for kept beats whose gateway's row cannot be read, in milliseconds. */
const wakesWithinMs = 1_000

/** A beat of its gateway's current boot that was handled. */
interface Handled {
  readonly gatewayId: string
  readonly bootId: string
  readonly spaceId: string
  readonly body: string
}

export interface BeatsAside {
  /**
   * Keeps a beat that came `at`, or only drops it in the end, and answers true: `handle` is called when something needs it. False:
   * the beat has to be handled now.
   */
  keep(beat: Envelope, at: Moment, handle: () => Promise<void>): boolean
  /** Begins to handle the beats of a gateway that were kept, in the order in which they came; resolves when that is done. */
  release(gatewayId: string): Promise<unknown>
  /**
   * The same for all gateways of a Space, for a second at most. The next beats of the Space are handled at once, for `awakeForMs`.
   */
  wake(spaceId: string): Promise<void>
  /** How long ago the last beat of the gateway came that is kept, in milliseconds; undefined where none is kept. */
  agoMs(gatewayId: string): number | undefined
  /** Notes a beat whose facts this cloud knows: others with the same facts may be kept. */
  know(beat: Handled): void
  /** Notes that the next beat of the gateway has to be handled. */
  forget(gatewayId: string): void
}

interface Kept {
  readonly at: Moment
  readonly handle: () => Promise<void>
}

interface Entry {
  /** What a beat that says nothing new repeats; undefined where the next beat has to be handled. */
  known: { readonly bootId: string; readonly facts: string } | undefined
  kept: readonly Kept[]
  readonly spaceId: string
  /** The handling of beats that were kept; undefined where it is over. */
  releasing: Promise<unknown> | undefined
}

/**
 * The number of the facts that an online beat names, read without the rest of its body; undefined where there is none. A goodbye
 * and a last will name none.
 */
function factsNamed(body: string): string | undefined {
  return body.includes('"online":true') ? /"facts":(\d+)/.exec(body)?.[1] : undefined
}

class Aside implements BeatsAside {
  readonly #world: World
  readonly #replica: Pick<Replica, 'isAlone' | 'owns'>
  /** Only gateways whose signature has held, so there are no more than were enrolled. */
  readonly #entries = new Map<string, Entry>()
  readonly #gatewaysOf = new Map<string, Set<string>>()
  /** Until when the beats of a Space are handled at once; monotonic milliseconds. */
  readonly #awakeUntil = new Map<string, number>()

  constructor({ replica, world }: { world: World; replica: Pick<Replica, 'isAlone' | 'owns'> }) {
    this.#world = world
    this.#replica = replica
  }

  keep({ body, bootId, gatewayId, nonce }: Envelope, at: Moment, handle: () => Promise<void>): boolean {
    const entry = this.#entries.get(gatewayId)
    const { facts } = entry?.known ?? {}
    if (!entry || facts === undefined || entry.known?.bootId !== bootId || nonce !== undefined) return false
    if (body.length > longestBody || factsNamed(body) !== facts) return false
    if (this.#isAwake(entry.spaceId) || this.#replica.owns(gatewayId)) return false
    const [oldest] = entry.kept
    const isFull = entry.kept.length === mostKept
    if (isFull && oldest && ageMs(this.#world, oldest.at) < offlineAfterMs) return false
    entry.kept = [...entry.kept, { at, handle }].slice(-mostKept)
    return true
  }

  async release(gatewayId: string): Promise<unknown> {
    const entry = this.#entries.get(gatewayId)
    if (!entry || entry.kept.length === 0) return entry?.releasing
    const { kept } = entry
    entry.kept = []
    // Beside each other: each counts for the presence before the first query, which may hang.
    const releasing = Promise.all([entry.releasing, ...kept.map(({ handle }) => handle())]).finally(() => {
      if (entry.releasing === releasing) entry.releasing = undefined
    })
    entry.releasing = releasing
    return releasing
  }

  async wake(spaceId: string): Promise<void> {
    if (this.#replica.isAlone) return
    this.#awakeUntil.set(spaceId, this.#world.monotonicMs() + awakeForMs)
    const gateways = [...(this.#gatewaysOf.get(spaceId) ?? [])]
    const waking = gateways.filter(gatewayId => this.#hasWork(gatewayId))
    if (waking.length === 0) return
    const released = Promise.all(waking.map(gatewayId => this.release(gatewayId)))
    await new Promise<void>(resolve => {
      const timer = this.#world.after(wakesWithinMs, resolve)
      void released.then(() => {
        timer.cancel()
        resolve()
      })
    })
  }

  #hasWork(gatewayId: string): boolean {
    const { kept = [], releasing } = this.#entries.get(gatewayId) ?? {}
    return kept.length > 0 || releasing !== undefined
  }

  agoMs(gatewayId: string): number | undefined {
    const last = this.#entries.get(gatewayId)?.kept.at(-1)
    return last && ageMs(this.#world, last.at)
  }

  know({ body, bootId, gatewayId, spaceId }: Handled): void {
    const facts = factsNamed(body)
    const known = facts === undefined ? undefined : { bootId, facts }
    const entry = this.#entries.get(gatewayId)
    if (entry) entry.known = known
    else this.#entries.set(gatewayId, { known, kept: [], spaceId, releasing: undefined })
    const gateways = this.#gatewaysOf.get(spaceId) ?? new Set()
    this.#gatewaysOf.set(spaceId, gateways.add(gatewayId))
  }

  forget(gatewayId: string): void {
    const entry = this.#entries.get(gatewayId)
    if (entry) entry.known = undefined
  }

  #isAwake(spaceId: string): boolean {
    const untilMs = this.#awakeUntil.get(spaceId)
    if (untilMs === undefined) return false
    if (this.#world.monotonicMs() < untilMs) return true
    this.#awakeUntil.delete(spaceId)
    return false
  }
}

/** The kept beats of one cloud. A cloud that is alone owns all gateways, and keeps none. */
export function beatsAside(parts: {
  readonly world: World
  readonly replica: Pick<Replica, 'isAlone' | 'owns'>
}): BeatsAside {
  return new Aside(parts)
}
