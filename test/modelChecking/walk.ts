// A breadth-first walk through all reachable states, and a check that an end can be reached from each of them.

export interface Walk<State> {
  readonly first: State
  /** Two states with the same key have the same future. */
  readonly keyOf: (state: State) => string
  /** All possible next states, each with the name of the move. */
  readonly movesFrom: (state: State) => readonly (readonly [string, State])[]
  /** Whether all is over. Such a state must be reachable from every state. */
  readonly isEnd: (state: State) => boolean
  /** The promise that the state breaks, if any. */
  readonly wrongWith: (state: State) => string | undefined
  readonly mostStates: number
}

export interface Walked {
  readonly states: number
  /** The number of steps from one state to another. */
  readonly steps: number
  /** The number of states in which all is over. */
  readonly ends: number
  /** False: there are more than `mostStates`, so it was not checked whether an end can be reached. */
  readonly isWhole: boolean
  /** The first state that breaks a promise, and the moves that lead to it. */
  readonly violation: { readonly what: string; readonly path: readonly string[] } | undefined
}

/** A growing list of numbers below 2^32. */
function numbers() {
  let kept = new Uint32Array(1 << 16)
  let length = 0
  return {
    push(value: number) {
      if (length === kept.length) {
        const larger = new Uint32Array(kept.length * 2)
        larger.set(kept)
        kept = larger
      }
      kept[length++] = value
    },
    at: (place: number) => kept[place] ?? 0,
    length: () => length,
  }
}
type Numbers = ReturnType<typeof numbers>

/** The first state from which no end can be reached; undefined when there is none. */
function firstDeadEnd(states: number, from: Numbers, to: Numbers, ends: Numbers): number | undefined {
  // For each state, the place in `sources` where its incoming steps begin.
  const begins = new Uint32Array(states + 2)
  const count = (place: number, by: number) => {
    begins[place] = (begins[place] ?? 0) + by
  }
  for (let step = 0; step < to.length(); step++) count(to.at(step) + 2, 1)
  for (let place = 1; place < begins.length; place++) count(place, begins[place - 1] ?? 0)
  const sources = new Uint32Array(to.length())
  for (let step = 0; step < to.length(); step++) {
    sources[begins[to.at(step) + 1] ?? 0] = from.at(step)
    count(to.at(step) + 1, 1)
  }
  const leads = new Uint8Array(states)
  const queue = numbers()
  const mark = (state: number) => {
    if (leads[state]) return
    leads[state] = 1
    queue.push(state)
  }
  for (let end = 0; end < ends.length(); end++) mark(ends.at(end))
  for (let place = 0; place < queue.length(); place++) {
    const state = queue.at(place)
    for (let at = begins[state] ?? 0; at < (begins[state + 1] ?? 0); at++) mark(sources[at] ?? 0)
  }
  const found = leads.indexOf(0)
  return found < 0 ? undefined : found
}

/** Walks through all states, or the nearest `mostStates`, or up to the first one that breaks a promise. */
export function walk<State>({ first, isEnd, keyOf, mostStates, movesFrom, wrongWith }: Walk<State>): Walked {
  const known = new Map<string, number>([[keyOf(first), 0]])
  const names = new Map<string, number>()
  /** For each state except the first: the state and the move by which it was first reached. */
  const [parents, reasons] = [numbers(), numbers()]
  const [from, to, ends] = [numbers(), numbers(), numbers()]

  function pathTo(state: number): string[] {
    const texts = [...names.keys()]
    const path: string[] = []
    for (let at = state; at > 0; at = parents.at(at - 1)) path.unshift(texts[reasons.at(at - 1)] ?? '')
    return path
  }

  function numberOf(state: State, name: string, parent: number, next: State[]): number {
    const key = keyOf(state)
    const number = known.get(key)
    if (number !== undefined) return number
    if (known.size >= mostStates) isWhole = false
    if (!isWhole) return parent
    known.set(key, known.size)
    const reason = names.get(name) ?? names.size
    names.set(name, reason)
    parents.push(parent)
    reasons.push(reason)
    next.push(state)
    return known.size - 1
  }

  let isWhole = true
  const sums = () => ({ states: known.size, steps: to.length(), ends: ends.length(), isWhole })
  let frontier = [first]
  for (let number = 0; frontier.length > 0; ) {
    const next: State[] = []
    for (const state of frontier) {
      const what = wrongWith(state)
      if (what !== undefined) return { ...sums(), violation: { what, path: pathTo(number) } }
      if (isEnd(state)) ends.push(number)
      for (const [name, reached] of movesFrom(state)) {
        const target = numberOf(reached, name, number, next)
        if (target === number) continue
        from.push(number)
        to.push(target)
      }
      number += 1
    }
    frontier = next
  }
  if (!isWhole) return { ...sums(), violation: undefined }
  const stuck = firstDeadEnd(known.size, from, to, ends)
  if (stuck === undefined) return { ...sums(), violation: undefined }
  return { ...sums(), violation: { what: 'A2: no end can be reached', path: pathTo(stuck) } }
}
