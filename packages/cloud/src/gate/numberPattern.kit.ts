// The patterns of libphonenumber as automata, so that a test can find the possible beginnings of their numbers.

type Node =
  | { readonly type: 'digits'; readonly digits: string }
  | { readonly type: 'row' | 'choice'; readonly parts: readonly Node[] }
  | { readonly type: 'times'; readonly part: Node; readonly least: number; readonly most: number }

const anyDigit = '0123456789'

/** The digits of a class such as `1-35` or `\d`. */
function digitsOf(text: string): string {
  return text
    .replaceAll('\\d', anyDigit)
    .replace(/(\d)-(\d)/g, (_, from, to) => anyDigit.slice(Number(from), Number(to) + 1))
}

/** Parses the part of regular expressions that the metadata uses: digits, classes, groups, choices and counts. */
function parse(source: string): Node {
  let rest = source
  const take = (pattern: RegExp) => {
    const found = pattern.exec(rest)
    if (found) rest = rest.slice(found[0].length)
    return found
  }
  function choice(): Node {
    const parts = [row()]
    while (take(/^\|/)) parts.push(row())
    return { type: 'choice', parts }
  }
  function row(): Node {
    const parts: Node[] = []
    while (rest !== '' && !/^[|)]/.test(rest)) parts.push(counted(atom()))
    return { type: 'row', parts }
  }
  function counted(part: Node): Node {
    if (take(/^\?/)) return { type: 'times', part, least: 0, most: 1 }
    const count = take(/^\{(\d+)(?:,(\d+))?\}/)
    if (!count) return part
    return { type: 'times', part, least: Number(count[1]), most: Number(count[2] ?? count[1]) }
  }
  function atom(): Node {
    if (take(/^\(\?:/)) {
      const inner = choice()
      if (!take(/^\)/)) throw new Error(`a group does not end in ${source}`)
      return inner
    }
    const digits = take(/^(?:\[([^\]]*)\]|(\\d|\d))/)
    if (!digits) throw new Error(`${rest} is not understood`)
    return { type: 'digits', digits: digitsOf(digits[1] ?? digits[2] ?? '') }
  }
  const whole = choice()
  if (rest !== '') throw new Error(`${rest} is left of ${source}`)
  return whole
}

interface State {
  readonly steps: { readonly digits: string; readonly to: State }[]
  readonly free: State[]
}

const newState = (): State => ({ steps: [], free: [] })

function build(node: Node, from: State): State {
  const end = newState()
  switch (node.type) {
    case 'digits':
      from.steps.push({ digits: node.digits, to: end })
      return end
    case 'row':
      return node.parts.reduce((at, part) => build(part, at), from)
    case 'choice':
      for (const part of node.parts) build(part, from).free.push(end)
      return end
    case 'times': {
      let at = from
      for (let count = 0; count < node.most; count++) {
        if (count >= node.least) at.free.push(end)
        at = build(node.part, at)
      }
      at.free.push(end)
      return end
    }
  }
}

/** The possible states of an automaton after some digits; none when no number begins with them. */
export type StateSet = ReadonlySet<State>

function settle(states: readonly State[]): StateSet {
  const all = new Set(states)
  for (const state of all) for (const next of state.free) all.add(next)
  return all
}

/** The states before the first digit of a number that `source` describes. */
export function startOf(source: string): StateSet {
  const start = newState()
  build(parse(source), start)
  return settle([start])
}

export function after(standing: StateSet, digit: string): StateSet {
  return settle(
    [...standing].flatMap(state =>
      state.steps.filter(step => step.digits.includes(digit)).map(step => step.to),
    ),
  )
}
