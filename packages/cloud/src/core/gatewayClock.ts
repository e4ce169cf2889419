// Computes the age of an opening by the gateway's clock, because the cloud's own clocks stop when its machine does.

// A machine that is paused (a snapshot, a live migration, a suspended laptop) does not notice it: its monotonic clock, its boot
// clock and its timers stall together, and the age of an unclaimed opening does not grow. The gateway is another machine, and its
// clock goes on. Each beat and each claim carries that clock. The beats before the press tell the cloud what the gateway's clock
// showed at the press; the claim tells what it shows now. The difference is the age of the opening by the gateway.
//
// A beat takes time to arrive. This makes the gateway's clock look slower and the opening older than it is. The quickest of the
// last beats gives the smallest error. The error only makes an opening look older, so it can only refuse a claim.

/** One beat: the gateway's clock when it was sent, and the cloud's clock when it arrived. Milliseconds. */
export interface ClockBeat {
  readonly gatewayMs: number
  readonly cloudMs: number
}

/** What the cloud knows of one gateway's clock at a press. */
export interface GatewayClock {
  readonly bootId: string
  /** The gateway's clock at the press, or a little less: it showed at least this. Milliseconds since the Pi booted. */
  readonly atPressMs: number
}

/** How many beats are kept for each gateway: usually those of its last minute. */
export const beatsKept = 6
/** An older beat is ignored: clocks drift apart, and either machine may have stalled since. */
const beatFreshMs = 90_000

/** The least time that the gateway's clock showed at the press; undefined when no beat came before it. */
export function clockAtPress(beats: readonly ClockBeat[], pressedMs: number): number | undefined {
  // A beat after the press may have come after a stall, so its clock would include the stall.
  const before = beats.filter(({ cloudMs }) => cloudMs < pressedMs && pressedMs - cloudMs < beatFreshMs)
  if (before.length === 0) return undefined
  return pressedMs - Math.min(...before.map(({ cloudMs, gatewayMs }) => cloudMs - gatewayMs))
}

/**
 * The age of an opening at its first claim by a gateway, by that gateway's clock; undefined when no beat of this boot came before
 * the press.
 */
export function ageByGateway(
  noted: GatewayClock | undefined,
  claim: { readonly bootId: string; readonly sinceBootMs: number },
): number | undefined {
  return noted?.bootId === claim.bootId ? claim.sinceBootMs - noted.atPressMs : undefined
}
