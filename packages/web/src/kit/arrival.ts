// Arriving at a part of a page: a link ends with # and the name of the part, which is scrolled to after the page is shown.

/** Whether the address names this part. */
export const isWanted = (part: string): boolean => location.hash === `#${part}`

/** A ref that scrolls the part into view once it exists. Made once for each part: a new ref would scroll again at each change. */
export const arriveAt = (part: string) => (node: Element | null) => {
  if (node && isWanted(part)) node.scrollIntoView()
}
