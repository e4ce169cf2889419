// The facts of a gateway: a beat carries them once in a connection and after a change. The other beats get them here. Pure.

import type { Ack, Beat } from '@callgate/contract/wire/messages'

/** A beat with the facts of its gateway, and the answer about them. */
interface WholeBeat {
  readonly beat: Beat
  /** Undefined: the daemon is too old to understand an answer, or it says goodbye. */
  readonly answer: Extract<Ack['result'], `facts_${string}`> | undefined
}

/** The facts of another beat. `facts` is left out where that beat did not know them itself. */
function factsOf({ can, commit, facts, lastGrant, modem, trusts, update }: Beat) {
  const { firmware, lacks } = modem
  return {
    modem: { ...(firmware !== undefined && { firmware }), ...(lacks !== undefined && { lacks }) },
    rest: {
      ...(facts !== undefined && { facts }),
      ...(commit !== undefined && { commit }),
      ...(can !== undefined && { can }),
      ...(trusts !== undefined && { trusts }),
      ...(update !== undefined && { update }),
      ...(lastGrant !== undefined && { lastGrant }),
    },
  }
}

/**
 * Whether a beat has all facts that its gateway sends. A cloud of an earlier version stores a beat as it came: without facts, or
 * without the facts about updates. A beat with all facts always has `trusts`, and `update` where the gateway can take one.
 */
const hasAll = ({ can = [], trusts, update }: Beat) =>
  trusts !== undefined && (update !== undefined || !can.includes('update'))

/**
 * Completes the beat `said` with the number `seq` by the facts of its gateway. `before` is the previous complete beat of the same
 * boot. Where its facts are not those that `said` refers to, they are used as the best known ones.
 */
export function wholeBeat(said: Beat, seq: number, before: Beat | undefined): WholeBeat {
  const { facts, ...short } = said
  if (facts === undefined) return { beat: said, answer: undefined }
  if (facts === seq) return { beat: said, answer: 'facts_known' }
  if (!before) return { beat: short, answer: 'facts_wanted' }
  const { modem, rest } = factsOf(before)
  const isKnown = before.facts === facts && hasAll(before)
  return {
    beat: { ...short, modem: { ...short.modem, ...modem }, ...rest },
    answer: isKnown ? undefined : 'facts_wanted',
  }
}

/** The last call that was granted to a gateway, and its age at the beat in milliseconds. */
export interface SaidGrant {
  readonly openingId: string
  readonly agoMs: number
}

/** The last grant that a beat names; undefined where it names none, or a grant after the beat, which is impossible. */
export function saidGrant({ lastGrant, sinceBootMs }: Beat): SaidGrant | undefined {
  if (!lastGrant || sinceBootMs === undefined || lastGrant.sinceBootMs > sinceBootMs) return undefined
  return { openingId: lastGrant.openingId, agoMs: sinceBootMs - lastGrant.sinceBootMs }
}
