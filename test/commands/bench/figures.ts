// Figures of a benchmark: percentiles, ratios, and a common way to print them.

/** The value below which `share` (0 to 1) of the samples lie; NaN for none. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN
}

export interface Spread {
  readonly min: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

export function spread(samples: readonly number[]): Spread {
  const [min, p50, p99, max] = [0, 0.5, 0.99, 1].map(share => percentile(samples, share))
  return { min: min ?? Number.NaN, p50: p50 ?? Number.NaN, p99: p99 ?? Number.NaN, max: max ?? Number.NaN }
}

/** `name   min 0.9   p50 1.2   p99 3.4   max 5.6 ms`, in columns. */
export function line(name: string, { max, min, p50, p99 }: Spread): string {
  const column = (ms: number) => ms.toFixed(2).padStart(8)
  return `  ${name.padEnd(44)} min${column(min)}   p50${column(p50)}   p99${column(p99)}   max${column(max)} ms`
}

/** The two legs of an opening, in milliseconds. */
export interface Leg {
  /** From the POST to the bytes of ATD at the modem. */
  readonly toLine: number
  /** From the modem's last line to the HTTP answer. */
  readonly toAnswer: number
}
