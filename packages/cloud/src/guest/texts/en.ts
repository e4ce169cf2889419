// The guest's page in English.

import type { Texts } from './texts.ts'

export const en: Texts = {
  name: 'English',
  title: 'Open a gate',
  open: 'Open {gate}',
  noGates: 'There is no gate that you can open at the moment. Ask whoever gave you this link.',
  next: 'Next: {time}',
  calling: 'Calling the gate…',
  ringing: 'The gate is ringing…',
  joined: 'The gate is being called already…',
  back: 'Back to the gates',
  language: 'Language',
  reference: 'Reference',
  contact: 'If you need help',
  again: 'Nothing was opened: the page was too old. Press again.',
  tooMany: 'Too many presses. Wait {seconds} s, then press again.',
  tooOften: 'This page was loaded too often. Wait {seconds} s, then load it again.',
  deadLink: 'This link does not work. Ask whoever sent it for a new one.',
  notNow: 'This page is not available at the moment. Nothing was opened. Try again later.',
  fault: 'Something went wrong. Look at the gate; if it does not move, try again in a minute.',
  outcomes: {
    done: [
      'The gate was called and should be opening.',
      'If it does not move, wait 10 seconds and try again.',
    ],
    notCalled: ['The gate was not called: its device is not ready.', 'Try again in a minute.'],
    deviceFault: ['The gate was not called: its device has a fault.', 'Tell whoever gave you this link.'],
    outside: [
      'Your access does not allow opening at this time.',
      'If you need other hours, ask whoever gave you this link.',
    ],
    ended: ['Your access to this gate has ended.', 'If you need it again, ask whoever gave you this link.'],
    used: [
      'Your access has been used as often as it may be.',
      'If you need more, ask whoever gave you this link.',
    ],
    noAccess: ['You no longer have access to this gate.', 'Ask whoever gave you this link.'],
    off: ['This gate is switched off.', 'Ask whoever gave you this link.'],
    wrongNumber: ['This gate cannot be called on its number.', 'Tell whoever gave you this link.'],
    busy: ["The gate's line is busy.", 'Try again in 10 seconds.'],
    noReaction: [
      'The gate did not react to the call.',
      'If it does not move, try again in 20 seconds. If that fails too, call whoever gave you this link.',
    ],
    unknown: [
      'It is not known whether the gate opened.',
      'Look at the gate. If it does not move, try again in a minute.',
    ],
    answered: [
      'Something answered the call. It is not known whether the gate opened.',
      'Look at the gate. If it does not move, try again in a minute. If it opened, tell whoever gave you this link that its call profile has to be “answer_release”.',
    ],
  },
}
