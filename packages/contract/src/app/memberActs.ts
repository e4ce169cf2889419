// What can be done to many chosen members, and why one is left out: plain data for the schemas and for the pages.

/** What is done to each of the members, in the order in which it is offered. */
export const memberActs = ['add_gate', 'set_hours', 'send_link', 'deactivate'] as const
export type MemberAct = (typeof memberActs)[number]

/** Why a member is left out. */
export const leftOut = ['inactive', 'has_gate', 'no_access', 'same', 'no_email'] as const
