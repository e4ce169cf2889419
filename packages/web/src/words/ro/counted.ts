// Romanian: a number with its noun.

/** From 20 on, a noun follows with `de`, except after 1 to 19 of a new hundred. */
export const count = (of: number, one: string, many: string) =>
  of === 1 ? one : `${of} ${of !== 0 && (of % 100 === 0 || of % 100 > 19) ? 'de ' : ''}${many}`
