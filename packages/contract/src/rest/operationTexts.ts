// What the documentation says of each operation beyond its summary, and under which heading.

import type { OperationId } from './operations.ts'

/** The headings of the documentation, in their order. */
export const tags = {
  Gates: 'What opens when its number is called.',
  Openings: 'Attempts to open a gate: press, follow, list.',
  Members: 'People, each with one magic link that opens all their gates.',
  Accesses: "A member's accesses: one for each gate, with schedules and a cap.",
  History: 'The record of administrative actions.',
} as const
export type Tag = keyof typeof tags

const pages =
  'Without `limit` and `cursor` the list is answered whole, without `pagination`. With either it comes in pages: follow `nextCursor` until it is null.'
const history =
  'By `limit` and `offset`, or by `cursor` (empty for the first page), which neither repeats nor hides rows while others are added.'
const patch =
  'What is absent stays as it is, null clears what can be null, arrays are replaced whole. A change that changes nothing is answered with 200 and leaves no activity.'

export const operationTexts: Readonly<Record<OperationId, { readonly tag: Tag; readonly text: string }>> = {
  listGates: { tag: 'Gates', text: `Inactive gates are in the list. ${pages}` },
  createGate: {
    tag: 'Gates',
    text: "The gate's GSM module must be set up to take calls from the caller numbers of the Space's gateways. Only active gates count towards the plan's limit.",
  },
  getGate: { tag: 'Gates', text: '' },
  updateGate: {
    tag: 'Gates',
    text: `${patch} Another phone number takes the call profile back to \`unverified\`. \`isActive: true\` reactivates the gate, within the plan's limit.`,
  },
  deactivateGate: {
    tag: 'Gates',
    text: 'The gate stays in the lists and in the history, and is no longer called. Repeating it is answered with 204 again.',
  },
  getGateProfile: {
    tag: 'Gates',
    text: 'A gate module rejects, answers or ignores the call that opens it. The profile says which of these counts as opened.',
  },
  updateGateProfile: { tag: 'Gates', text: patch },
  openGate: {
    tag: 'Openings',
    text: 'Answers when the outcome is known. `opened: true`: the gate took the call. `opened: false`: the call is still running after 50 seconds, so follow the opening by its id. A known failure is 502 `open_failed`. A press while the same number is being called, or just after, places no second call: it joins that call and ends as it ends. Send an `Idempotency-Key`, so that a lost answer can be asked for again without another call. See [Opening a gate](/docs/opening).',
  },
  listMembers: {
    tag: 'Members',
    text: `With their accesses and magic links. Inactive members are in the list. ${pages}`,
  },
  createMember: {
    tag: 'Members',
    text: "All or nothing: one bad access refuses the whole. A member with an e-mail address gets the invitation. Every creation counts towards the plan's monthly invitations, with or without an address.",
  },
  getMember: { tag: 'Members', text: '' },
  updateMember: { tag: 'Members', text: patch },
  deactivateMember: {
    tag: 'Members',
    text: 'All accesses are revoked and the magic link is dead at once. Repeating it is answered with 204 again.',
  },
  addAccess: {
    tag: 'Accesses',
    text: "The member's existing link opens the new gate as well; a member with an e-mail address is told. Without `schedules` the gate opens at any time. A second access for the same gate is 409 `conflict`. See [Schedules](/docs/schedules).",
  },
  updateAccess: {
    tag: 'Accesses',
    text: `${patch} \`maxUsage\` may be set below \`usageCount\`: the access is exhausted then. \`usageCount\` is never reset.`,
  },
  revokeAccess: { tag: 'Accesses', text: 'Repeating it is answered with 404.' },
  resetMemberLink: {
    tag: 'Members',
    text: "The new link stands in each of the member's accesses. No mail is sent: send the invitation afterwards.",
  },
  sendInvitation: { tag: 'Members', text: 'The mail is sent in the background.' },
  listOpenings: {
    tag: 'Openings',
    text: `Every attempt, whoever made it: dashboard, magic link or API. ${history}`,
  },
  getOpening: {
    tag: 'Openings',
    text: 'With the evidence: what the gateway saw of the call, and what follows from it.',
  },
  listActivity: {
    tag: 'History',
    text: `${history} Changes through the API have the actor \`api:<key name>\`.`,
  },
}
