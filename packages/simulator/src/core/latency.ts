// The delays of the modem, the network and the gate modules: as in the field, or short for tests.

/** From and to, in milliseconds, both included. */
export type Range = readonly [lowMs: number, highMs: number]

export interface Latencies {
  /** A command that needs neither SIM nor network. */
  readonly commandMs: Range
  /** A command that asks the SIM. */
  readonly simCommandMs: Range
  /** AT+COPS=?, the search for operators. */
  readonly searchMs: Range
  /** ATD to its OK. */
  readonly dialOkMs: Range
  /** The OK to `+CLCC` state 2. */
  readonly diallingUrcMs: Range
  /** The OK to ringing at the far end. */
  readonly alertingMs: Range
  /** Ringing to a module's rejection, when no ring time is programmed. */
  readonly rejectMs: Range
  /** Ringing to a module's answer, when no ring time is programmed. */
  readonly answerMs: Range
  /** Between the two signals of a call's end. */
  readonly endGapMs: Range
  readonly hangUpMs: Range
  /** Power to RDY, RDY to the SIM, the SIM to Call Ready. */
  readonly bootMs: Range
  readonly simMs: Range
  readonly callReadyMs: Range
  readonly registerMs: Range
  /** The factor for the durations of presets.ts. */
  readonly scale: number
}

/** The network ends the ringing after this time, on a fast network too. */
export const ringLimitMs = 60_000

export type NetworkName = 'normal' | 'fast'

/** `normal`: the figures under "Numbers" in packages/modem/docs/sim800.md. `fast` is some 50 to 100 times faster. */
export const latencies: Readonly<Record<NetworkName, Latencies>> = {
  normal: {
    commandMs: [5, 30],
    simCommandMs: [50, 200],
    searchMs: [20_000, 45_000],
    dialOkMs: [80, 600],
    diallingUrcMs: [140, 160],
    alertingMs: [3000, 8000],
    rejectMs: [1500, 5000],
    answerMs: [1500, 3000],
    endGapMs: [20, 300],
    hangUpMs: [200, 2000],
    bootMs: [2000, 3000],
    simMs: [900, 1100],
    callReadyMs: [5000, 12_000],
    registerMs: [5000, 30_000],
    scale: 1,
  },
  fast: {
    commandMs: [1, 1],
    simCommandMs: [1, 2],
    searchMs: [200, 450],
    dialOkMs: [5, 5],
    diallingUrcMs: [2, 4],
    alertingMs: [40, 60],
    rejectMs: [20, 40],
    answerMs: [20, 20],
    endGapMs: [1, 4],
    hangUpMs: [2, 20],
    bootMs: [20, 30],
    simMs: [10, 10],
    callReadyMs: [50, 120],
    registerMs: [50, 300],
    scale: 1 / 40,
  },
}

/** A uniform number in [0, 1) at each call. */
export type Random = () => number

/** A whole number of milliseconds from the range. */
export function drawMs(random: Random, [lowMs, highMs]: Range): number {
  return lowMs + Math.floor(random() * (highMs - lowMs + 1))
}
