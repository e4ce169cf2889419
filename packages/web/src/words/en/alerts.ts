// English: the alerts, at the top of other pages and on their own, and who is told of them.

import type { IncidentKind } from '@callgate/contract/app/incidentKinds'

interface Says {
  /** What is wrong with the gateway or the gate of this name. */
  readonly begun: (name: string) => string
  readonly over: (name: string) => string
  /** What to check. */
  readonly check: string
}

const kinds: Readonly<Record<IncidentKind, Says>> = {
  gateway_offline: {
    begun: name => `${name} is offline`,
    over: name => `${name} was offline`,
    check: 'Its power or its network may be gone: look at the lights on it.',
  },
  gate_not_reacting: {
    begun: name => `${name} does not react`,
    over: name => `${name} did not react`,
    check:
      'It rang three times and did nothing. Does its module have power, and does it know the number of the gateway?',
  },
  gate_drifted: {
    begun: name => `Calls no longer fit ${name}`,
    over: name => `Calls did not fit ${name}`,
    check:
      'They go in another way than when it was calibrated. Was its module, the SIM card in it or a setting changed? If it is fine, calibrate it again.',
  },
  signal_low: {
    begun: name => `${name} has a weak signal`,
    over: name => `${name} had a weak signal`,
    check: 'Calls may not get through. Put the antenna outside, or higher.',
  },
  supply_low: {
    begun: name => `The supply of ${name} is low`,
    over: name => `The supply of ${name} was low`,
    check: 'Its modem may stop in a call. Use a supply of 2\u00a0A, close to the modem.',
  },
  sim_card: {
    begun: name => `The SIM card of ${name} needs you`,
    over: name => `The SIM card of ${name} needed you`,
    check: 'Little is left on it, or its last day is near or over. Top it up, extend it or change it.',
  },
  webhook_stopped: {
    begun: name => `Events no longer go to ${name}`,
    over: name => `Events did not go to ${name}`,
    check:
      'The webhook is switched off: it answered 410, or nothing reached it for five days. Look at its last attempts, and switch it on.',
  },
  mail_failing: {
    begun: () => 'Mails do not arrive',
    over: () => 'Mails did not arrive',
    check:
      'The page of each member says why a mail did not go out: look at the address. If it concerns all mails, tell whoever runs this Callgate.',
  },
}

export const alerts = {
  kinds,
  says: (count: number) =>
    count === 0 ? 'No alert is open.' : count === 1 ? 'One alert is open.' : `${count} alerts are open.`,
  open: 'Open alerts',
  since: (when: string) => `Since ${when}.`,
  look: 'Look at it',
  more: (count: number) => (count === 1 ? 'And one more alert' : `And ${count} more alerts`),
  past: 'Past alerts',
  what: 'The alerts',
  columns: { time: 'Began', result: 'What was wrong', took: 'Lasted' },
  whatShows: 'What opens an alert',
  nothingWhy:
    'When a gateway is offline for five minutes, a gate does not react three times, its calls no longer fit its calibration, a signal or a supply is low for ten minutes, or mails do not arrive, it shows here.',
  nothingPast: 'Nothing in the last 90 days.',
  choices: {
    title: 'Alerts',
    says: 'Who gets a mail when something is wrong, and when it is well again. The page Alerts shows it to every user.',
    list: 'Who is told by mail',
    own: 'Tell me by mail',
    ownWhy: 'Only you and the owners of the Space can change this.',
    of: (name: string) => `Tell ${name} by mail`,
    accountTitle: 'Alerts by mail',
    accountSays: 'In which Spaces you get a mail when something is wrong.',
    nobody: 'Nobody is told by mail. The dashboard shows alerts all the same.',
    notSaved: 'Not saved.',
    noAnswer: 'The server did not answer. It is not known whether this was saved.',
  },
}
