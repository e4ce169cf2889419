// Romanian: a number with its noun.

/** The noun after a number. From 20 on it follows with `de`, except after 1 to 19 of a new hundred. */
export const withDe = (of: number, many: string) =>
  of !== 0 && (of % 100 === 0 || of % 100 > 19) ? `de ${many}` : many

/** A number with its noun; `one`: the whole text of the number 1. */
export const count = (of: number, one: string, many: string) => (of === 1 ? one : `${of} ${withDe(of, many)}`)
