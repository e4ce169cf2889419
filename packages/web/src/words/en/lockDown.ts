// English: the lock-down of all gates.

export const lockDown = {
  banner: 'All gates are locked.',
  /** `by`: the name of who locked them; null where that is not known any more. */
  bannerWhy: (since: string, by: string | null) =>
    `${by === null ? 'Since' : `By ${by}, since`} ${since}. Nobody can open them.`,
  end: 'End the lock-down',
  endTitle: 'End the lock-down?',
  endText:
    'Members, keys and users can open the gates again as before. A press that was refused meanwhile opens nothing.',
  ending: 'Ending…',
  lockTitle: 'Lock all gates?',
  lockMeans: [
    'Nobody opens a gate until you end it: no member, no key of the API, no admin.',
    'Presses that wait for their call end.',
    'A call that runs goes on. A gate that is open stays open.',
  ],
  locking: 'Locking…',
}
