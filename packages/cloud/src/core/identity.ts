// The principal: who a request comes from: an API key, a user in a session, or the operator at the command line.

export type Identity =
  | { readonly kind: 'key'; readonly apiKeyId: string }
  | { readonly kind: 'user'; readonly userId: string; readonly sessionId: string }
  | { readonly kind: 'operator' }

/**
 * The id by which the activity knows a principal: the key's, or the user's in all of their sessions. The operator has none: null.
 */
export function principalId(identity: Identity): string | null {
  if (identity.kind === 'operator') return null
  return identity.kind === 'key' ? identity.apiKeyId : identity.userId
}
