// English: the page of the API keys, and the dialogs that make and revoke one.

import type { Scope } from '@callgate/contract/rest/scope'

/** What a scope allows. */
const scopes: Readonly<Record<Scope, string>> = {
  'gates:read': 'See gates',
  'gates:write': 'Add and change gates',
  'gates:open': 'Open gates',
  'members:read': 'See members and their links',
  'members:read_email': 'See e-mail addresses of members',
  'members:write': 'Add and change members and accesses',
  'history:read': 'Read openings and activity',
  'webhooks:read': 'See webhooks and their deliveries',
  'webhooks:write': 'Send events to an address',
}

/** What else has to be known of a scope. */
const scopeNotes: Partial<Readonly<Record<Scope, string>>> = {
  'members:read': 'Links open gates: whoever reads them can open.',
  'members:read_email': 'In addition to “See members”: without it a program sees no addresses.',
  'gates:open':
    'A program with this key moves a real barrier, at any hour, with nobody watching. Schedules do not limit it; 10 openings a minute do.',
}

export const keys = {
  title: 'API keys',
  what: 'The API keys',
  says: 'One for each integration, so that each can be revoked by itself.',
  create: 'Create key',
  none: 'No key yet',
  noneWhy: 'A program uses a key to work with this Space: a booking calendar, a desk, a report.',
  noPlan: (plan: string) => `The plan ${plan} has no API: keys are refused until the plan changes.`,
  stay: 'Keys belong to the Space, and stay when the person who made them leaves.',
  documentation: 'API documentation',
  sandbox: {
    title: 'Sandbox',
    name: 'Tests',
    why: 'A Space for tests: it calls nobody and sends no mail. You can have two.',
    more: 'How it works',
    make: 'Make a sandbox',
    making: 'Making…',
    notMade: 'The sandbox was not made',
    noAnswer: 'No answer came. Look at your Spaces before you try again.',
  },
  table: {
    key: 'Key',
    may: 'May',
    uses: '30 days',
    last: 'Last used',
    ends: 'Ends',
    onGates: (count: number) => (count === 1 ? 'only 1 gate' : `only ${count} gates`),
  },
  never: 'Never ends',
  unused: 'Not used yet',
  requests: (count: string, isOne: boolean) =>
    isOne ? '1 request in 30 days' : `${count} requests in 30 days`,
  revokedOn: (day: string) => `revoked ${day}`,
  endedOn: (day: string) => `ended ${day}`,
  showOver: (count: number) => (count === 1 ? 'Show 1 that has ended' : `Show ${count} that have ended`),
  hideOver: 'Hide those that have ended',
  more: (name: string) => `What to do with ${name}`,
  rights: {
    all: 'All rights',
    allButEmail: 'All but e-mail addresses',
    count: (count: number) => `${count} rights`,
  },
  scopes,
  scopeNotes,
  form: {
    title: 'Create a key',
    why: 'Give it only what the integration needs.',
    name: 'Name',
    ends: 'Ends',
    ending: { days30: 'In 30 days', days90: 'In 90 days', year: 'In 1 year', never: 'Never' },
    may: 'May',
    gates: 'Gates',
    someGates: 'Only some gates',
    someGatesNote:
      'It sees no other gate, no members and no activity. Gates that are added later are not included.',
    noGate: 'Tick at least one gate.',
    noScope: 'Tick at least one.',
    creating: 'Creating…',
    notMade: 'No key was made.',
    noAnswer:
      'The server did not answer, so it is not known whether a key was made. Look at the list: revoke it there if you see it, since its secret is lost.',
  },
  made: {
    title: (name: string) => `${name} is ready`,
    once: 'This is the only time that the key is shown. Store it where the integration reads its secrets.',
    secret: 'The key',
    tryIt: 'Try it',
    stored: 'I have stored it. If it is lost, I make another.',
    done: 'Done',
  },
  revoke: {
    open: 'Revoke',
    title: (name: string) => `Revoke ${name}?`,
    does: 'Revoke',
    doing: 'Revoking…',
    refused: (beginning: string) => `${beginning}… is refused from the next request on.`,
    stops: (requests: string, used: string) => `What uses it stops: ${requests}, last used ${used}.`,
    unused: 'It was never used.',
    could: (scopes: string) => `It could: ${scopes}.`,
    forGood:
      'This cannot be undone. Give an integration that is still needed a new key. The gates, the members and the history stay.',
    noAnswer: 'The server did not answer. Read the list again to see whether the key has ended.',
  },
}
