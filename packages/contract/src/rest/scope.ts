// Scopes: what an API key may be allowed to do.

/** Every scope of the specification (section 5) and what it allows. */
export const scopes = {
  'gates:read': 'List gates',
  'gates:write': 'Create, update, deactivate gates',
  'gates:open': 'Physically open gates (opt-in; must be given explicitly)',
  'members:read': 'List members and their accesses, with the magic links, which open gates',
  'members:write': 'Create and update members; grant, edit and revoke gate access',
  'history:read': 'Read openings and the activity log',
} as const

export type Scope = keyof typeof scopes

export const scopeNames = Object.keys(scopes) as Scope[]

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text)
}
