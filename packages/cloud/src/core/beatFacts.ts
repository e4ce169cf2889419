// The facts of a gateway: what its beats tell once in a connection and when it changes. Each other beat gets them here. Pure.

import type { Ack, Beat } from '@callgate/contract/wire/messages'

/** A beat with the facts of its gateway, and what is to be answered of them. */
interface WholeBeat {
  readonly beat: Beat
  /** Undefined: the daemon is too old to be told, or it goes. */
  readonly answer: Extract<Ack['result'], `facts_${string}`> | undefined
}

/** The facts that another beat has told. `facts` is left out where that beat did not know them itself. */
function factsOf({ can, facts, lastGrant, modem, trusts, update }: Beat) {
  const { firmware, lacks } = modem
  return {
    modem: { ...(firmware !== undefined && { firmware }), ...(lacks !== undefined && { lacks }) },
    rest: {
      ...(facts !== undefined && { facts }),
      ...(can !== undefined && { can }),
      ...(trusts !== undefined && { trusts }),
      ...(update !== undefined && { update }),
      ...(lastGrant !== undefined && { lastGrant }),
    },
  }
}

/**
 * Whether a beat has all facts that its gateway tells. A cloud of an earlier version keeps a beat without them as it came, or
 * without what it says of updates. One that tells them always says what it trusts, and of updates where it can take one.
 */
const hasAll = ({ can = [], trusts, update }: Beat) =>
  trusts !== undefined && (update !== undefined || !can.includes('update'))

/**
 * The beat `said`, whose number is `seq`, with its facts. `before` is the beat before it of the same boot, whole. Where that
 * one does not have the facts that `said` means, those that it has are the best that is known.
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

/** The last call that a gateway was granted, and how long before its beat; milliseconds. */
export interface SaidGrant {
  readonly openingId: string
  readonly agoMs: number
}

/** What a beat says of it; undefined where it says nothing, or cannot be right. */
export function saidGrant({ lastGrant, sinceBootMs }: Beat): SaidGrant | undefined {
  if (!lastGrant || sinceBootMs === undefined || lastGrant.sinceBootMs > sinceBootMs) return undefined
  return { openingId: lastGrant.openingId, agoMs: sinceBootMs - lastGrant.sinceBootMs }
}
