// The secret of a mailed link: it is after the # of the address, so it reaches no server log and no other site.

/** The text after the #; undefined where it cannot be the secret of a link, for example after an incomplete copy. */
export function tokenOfAddress(): string | undefined {
  const token = location.hash.slice(1)
  return /^[A-Za-z0-9_-]{43}$/.test(token) ? token : undefined
}
