// English: the page of the webhooks, and its dialogs.

import type { DeliveryError, WebhookStop } from '@callgate/contract/rest/webhook'

/** Why an attempt has failed. */
const errors: Readonly<Record<DeliveryError, string>> = {
  name_not_found: 'The name is not known',
  address_refused: 'The name leads to a private network, not to the internet',
  connect_failed: 'No connection',
  tls_failed: 'The certificate does not fit',
  timed_out: 'No answer within 15 s',
  answer_broken: 'The answer is not that of a web server',
  answer_refused: 'Refused',
}

/** Why nothing is sent to a webhook. */
const stops: Readonly<Record<WebhookStop, string>> = {
  switched_off: 'Somebody has switched it off.',
  gone: 'It answered 410, so nothing is sent to it.',
  failing: 'Nothing reached it for five days, so nothing is sent to it.',
  restored: 'The data was restored from a backup. It waits until you switch it on again.',
}

export const webhooks = {
  title: 'Webhooks',
  what: 'The webhooks',
  says: 'Callgate tells a program of yours what happens in this Space. It sends ids, no names.',
  create: 'Add webhook',
  none: 'No webhook yet',
  noneWhy:
    'Add the address of your program. It is then told of openings and changed members, usually within a second.',
  documentation: 'How to receive and verify',
  active: 'Active',
  stopped: 'Off',
  failing: 'Failing',
  failingSince: (when: string) => `Every attempt has failed since ${when}.`,
  stops,
  errors,
  hears: {
    all: 'Every event',
    openings: 'Openings',
    some: (count: number) => (count === 1 ? '1 type' : `${count} types`),
  },
  pair: (when: string) => `The previous secret works until ${when}.`,
  more: (host: string) => `What to do with ${host}`,
  menu: {
    test: 'Send a test',
    deliveries: 'Deliveries',
    secret: 'New secret',
    off: 'Switch off',
    on: 'Switch on',
    remove: 'Remove',
  },
  form: {
    title: 'Add a webhook',
    why: 'The address gets a POST for each event. The secret proves that it comes from here.',
    url: 'Address',
    urlHint: 'With https:// and a public name, such as https://desk.example.com/callgate',
    urlMissing: 'Type the address.',
    description: 'What it is for',
    types: 'Which events',
    choices: { all: 'Every event', openings: 'Openings only' },
    does: 'Add',
    doing: 'Adding…',
    notMade: 'No webhook was added.',
    noAnswer:
      'The server did not answer, so it is not known whether a webhook was added. Look at the list: remove it there if you see it, since its secret is lost.',
  },
  made: {
    title: 'The secret',
    once: 'This is the only time that the secret is shown. Store it where the receiving program reads its secrets.',
    secret: 'The secret',
    stored: 'I have stored it. If it is lost, I make another.',
    done: 'Done',
  },
  rotate: {
    title: (host: string) => `A new secret for ${host}?`,
    does: 'Make a secret',
    doing: 'Making…',
    means: ['For 24 hours every delivery is signed with both secrets.', 'After that only the new one works.'],
  },
  off: {
    title: (host: string) => `Switch ${host} off?`,
    does: 'Switch off',
    doing: 'Switching off…',
    means: [
      'Nothing more is sent, and what waits is given up.',
      'What happens meanwhile is not kept for it.',
    ],
  },
  on: {
    title: (host: string) => `Switch ${host} on?`,
    does: 'Switch on',
    doing: 'Switching on…',
    means: [
      'It is told first that events were not sent to it.',
      'Its program then reads what it has missed.',
    ],
  },
  remove: {
    title: (host: string) => `Remove ${host}?`,
    does: 'Remove',
    doing: 'Removing…',
    means: [
      'Nothing more is sent to it.',
      'Its secret and the list of its deliveries are deleted. The history of the Space stays.',
    ],
  },
  log: {
    title: (host: string) => `Deliveries to ${host}`,
    what: 'The deliveries',
    close: 'Close',
    none: 'Nothing was sent in the last 7 days',
    noneWhy: 'Send a test to see how the program answers.',
    states: { waiting: 'Waiting', delivered: 'Delivered', given_up: 'Given up' },
    answered: (status: number, took: string) => `${status} after ${took}`,
    failed: (why: string, took: string) => `${why}, after ${took}`,
    refused: (status: number) => `Answered ${status}`,
    tries: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
    next: (when: string) => `Next attempt ${when}`,
    resend: 'Send again',
    resendOf: (type: string, sequence: number) => `Send ${type} ${sequence} again`,
  },
}
