// Scopes: what an API key may be allowed to do.

/** Every scope of the specification (section 5), and `members:read_email`, which is ours; with what it allows. */
export const scopes = {
  'gates:read': 'List gates',
  'gates:write': 'Create, update, deactivate gates',
  'gates:open': 'Physically open gates (opt-in; must be given explicitly)',
  'members:read': 'List members and their accesses, with the magic links, which open gates',
  'members:read_email': 'See the e-mail addresses of members, and find members by them; beside members:read',
  'members:write': 'Create and update members; grant, edit and revoke gate access',
  'history:read': 'Read openings and the activity log',
  'webhooks:read': 'List webhooks and what was sent to them',
  'webhooks:write': 'Let every event of the Space be sent to an address, as ids; change and end webhooks',
} as const

export type Scope = keyof typeof scopes

export const scopeNames = Object.keys(scopes) as Scope[]

/**
 * What a key that is limited to gates may have. A member's link opens all gates of the member, and a new gate is none of those that
 * the key is limited to.
 */
export const limitableScopes: readonly Scope[] = ['gates:read', 'gates:open', 'history:read']

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text)
}
