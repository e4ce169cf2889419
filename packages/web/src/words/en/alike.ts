// English: rows that stand for several openings that say the same.

export const alike = {
  times: (what: string, count: number) => `${what}, ${count} times`,
  span: (from: string, to: string) => `${from} to ${to}`,
}
