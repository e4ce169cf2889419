// The age of an opening by the gateway's clock: the cloud's own clocks stop when its machine does.

// A machine that is paused (a snapshot, a live migration, a suspended laptop) notices nothing: its monotonic clock, its
// boot clock and its timers stall together, and an opening that nobody had claimed keeps its old age. The gateway is
// another machine, whose clock went on. Each beat and each claim carries that clock. From the beats that came
// before the press the cloud knows what the gateway's clock showed at the press; from the claim, what it shows now. The
// difference is the opening's age by the gateway.
//
// A beat needs time to come, which makes the gateway's clock look slower than it is, and so the opening older. The
// quickest of the last beats is the most exact, and its error only makes the opening older, which refuses.

/** One beat: what the gateway's clock showed when it was sent, and the cloud's when it came. Milliseconds. */
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

/** How many beats are kept of each gateway: usually those of its last minute. */
export const beatsKept = 6
/** An older beat proves nothing: clocks drift apart, and either machine may have been paused since. */
const beatFreshMs = 90_000

/** What the gateway's clock showed at the press, at least; undefined when no beat came before it. */
export function clockAtPress(beats: readonly ClockBeat[], pressedMs: number): number | undefined {
  // Only beats from before the press: a later one may come after a pause, and its clock includes the pause.
  const before = beats.filter(({ cloudMs }) => cloudMs < pressedMs && pressedMs - cloudMs < beatFreshMs)
  if (before.length === 0) return undefined
  return pressedMs - Math.min(...before.map(({ cloudMs, gatewayMs }) => cloudMs - gatewayMs))
}

/**
 * The age of an opening when a gateway first claimed it, by that gateway's clock; undefined when no beat of this boot came
 * before the press, so that the age is unknown.
 */
export function ageByGateway(
  noted: GatewayClock | undefined,
  claim: { readonly bootId: string; readonly sinceBootMs: number },
): number | undefined {
  return noted?.bootId === claim.bootId ? claim.sinceBootMs - noted.atPressMs : undefined
}
