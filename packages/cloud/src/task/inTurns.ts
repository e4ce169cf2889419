// Orders the waiting work of several owners in turns: the first of each, then the second of each.

/** The same entries: the first of each owner, then the second of each. The entries of one owner keep their order. */
export function inTurns<Entry>(entries: readonly Entry[], ownerOf: (entry: Entry) => string): Entry[] {
  const taken = new Map<string, number>()
  const turns = entries.map(entry => {
    const owner = ownerOf(entry)
    const turn = taken.get(owner) ?? 0
    taken.set(owner, turn + 1)
    return { entry, turn }
  })
  return turns.sort((a, b) => a.turn - b.turn).map(({ entry }) => entry)
}
