// The secret of a mailed link: it stands after the # of the address, so it reaches no server log and no other site.

/** What stands after the #; undefined where that cannot be the secret of a link, as after a cut copy. */
export function tokenOfAddress(): string | undefined {
  const token = location.hash.slice(1)
  return /^[A-Za-z0-9_-]{43}$/.test(token) ? token : undefined
}
