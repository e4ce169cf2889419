// The identity behind a request: an API key, a user in a session, or the operator at the command line.

export type Identity =
  | { readonly kind: 'key'; readonly apiKeyId: string }
  | { readonly kind: 'user'; readonly userId: string; readonly sessionId: string }
  | { readonly kind: 'operator' }

/** The id of this identity in the activity: that of the key, or that of the user in all sessions. Null for the operator. */
export function principalId(identity: Identity): string | null {
  if (identity.kind === 'operator') return null
  return identity.kind === 'key' ? identity.apiKeyId : identity.userId
}
