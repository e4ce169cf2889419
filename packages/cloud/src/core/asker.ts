// The asker: who a request comes from: an API key, a user in a session, or the operator at the command line.

export type Asker =
  | { readonly kind: 'key'; readonly apiKeyId: string }
  | { readonly kind: 'user'; readonly userId: string; readonly sessionId: string }
  | { readonly kind: 'operator' }

/**
 * The id by which the activity knows an asker: the key's, or the user's in all of their sessions. The operator has none: null.
 */
export function askerId(asker: Asker): string | null {
  if (asker.kind === 'operator') return null
  return asker.kind === 'key' ? asker.apiKeyId : asker.userId
}
