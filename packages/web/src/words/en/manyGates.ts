// English: the gates of a Space that has many.

export const manyGates = {
  state: 'State',
  anyState: 'All states',
  /** A state, and how many gates have it. */
  countOf: (state: string, count: number) => `${state}, ${count}`,
  first: 'Look at these first',
  others: 'All other gates',
  /** How many rows are there in all. */
  showAll: (count: number) => `Show all ${count}`,
  noneFound: 'No gate fits.',
}
