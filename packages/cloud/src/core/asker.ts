// The asker: who a request comes from, an API key or a user in a session.

export type Asker =
  | { readonly kind: 'key'; readonly apiKeyId: string }
  | { readonly kind: 'user'; readonly userId: string; readonly sessionId: string }

/** The id by which rates, kept answers and the activity know an asker: the key's, or the user's in all of their sessions. */
export function askerId(asker: Asker): string {
  return asker.kind === 'key' ? asker.apiKeyId : asker.userId
}
