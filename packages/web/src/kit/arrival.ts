// Arriving at a part of a page: a link ends with # and the name of the part, which is read after the page is shown.

/** Whether the address names this part. */
export const isWanted = (part: string): boolean => location.hash === `#${part}`

/** A ref that brings the part into view once it is there. Made once for each part: a new one would come again with each change. */
export const arriveAt = (part: string) => (node: Element | null) => {
  if (node && isWanted(part)) node.scrollIntoView()
}
