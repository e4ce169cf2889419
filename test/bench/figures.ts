// Figures of a benchmark: percentiles, ratios, and one way to print them.

/** The value below which `share` (0 to 1) of the samples lie; NaN for none. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

export interface Spread {
  readonly p50: number
  readonly p99: number
}

export function spread(samples: readonly number[]): Spread {
  return { p50: percentile(samples, 0.5), p99: percentile(samples, 0.99) }
}

/** `name   p50 1.2 ms   p99 3.4 ms`, in columns. */
export function line(name: string, { p50, p99 }: Spread): string {
  return `  ${name.padEnd(44)} p50 ${p50.toFixed(2).padStart(8)} ms   p99 ${p99.toFixed(2).padStart(8)} ms`
}

/** The two ways of an opening, one sample for each round, milliseconds. */
export interface Legs {
  /** From the POST to the bytes of ATD at the modem. */
  readonly toLine: number[]
  /** From the modem's last line to the HTTP answer. */
  readonly toAnswer: number[]
}
