// English: the mails on incidents.

import type { AlertWording } from '../alertWording.ts'

export const en: AlertWording = {
  goOn: { one: '{count} problem needs a look', other: '{count} problems need a look' },
  areOver: { other: '{count} problems are over' },
  since: 'Since {time}.',
  lasted: 'Problem: {time}.',
  more: 'The dashboard shows the rest.',
  button: 'Open the dashboard',
  why: 'You get this mail because alerts of {space} are switched on in your account. You can switch them off there.',
  kinds: {
    gateway_offline: {
      begun: 'Gateway {name} is offline',
      over: 'Gateway {name} is online again',
      means: 'Until it is back, it opens no gate.',
      check:
        'What to check: does it have power? Are its lights on? Does its network work? If so, switch its power off and on.',
    },
    gate_not_reacting: {
      begun: '{name} does not react',
      over: '{name} reacts again',
      means: 'Three calls in a row rang, and the gate did nothing.',
      check:
        'What to check: does the module at the gate have power? Does it know the number of the gateway? Was its SIM card or its number changed?',
    },
    gate_drifted: {
      begun: 'Calls no longer fit {name}',
      over: 'Calls fit {name} again',
      means:
        'Its calls go another way than when it was calibrated. What Callgate says of its openings may be wrong.',
      check:
        'What to check: was its module, the SIM card in it or a setting of it changed? Does a voicemail answer its calls? If the gate is fine, calibrate it again on its page.',
    },
    signal_low: {
      begun: '{name} has a weak signal',
      over: '{name} has a good signal again',
      means: 'Calls of this gateway may not get through, and then gates stay closed.',
      check: 'What to check: is the antenna screwed on? Is it outside, or high enough?',
    },
    supply_low: {
      begun: 'The supply of {name} is low',
      over: 'The supply of {name} is good again',
      means: 'The modem of this gateway may stop in the middle of a call.',
      check: 'What to do: use a supply of 2 A, close to the modem, with short wires.',
    },
    sim_card: {
      begun: 'The SIM card of {name} needs you',
      over: 'The SIM card of {name} is well again',
      means:
        'Little credit is left on it, or its last day is near or over. Without it this gateway calls no gate.',
      check:
        'What to check: the page of the gateway shows the balance and the last day. Top the card up, extend it or change it.',
    },
    webhook_stopped: {
      begun: 'Events no longer go to {name}',
      over: 'Events go to {name} again',
      means: 'The webhook is switched off: it answered 410, or nothing reached it for five days.',
      check:
        'What to check: does the program behind it run? The page of the webhooks shows its last attempts. Switch it on again there.',
    },
    mail_failing: {
      begun: 'Some mails do not arrive',
      over: 'Mails arrive again',
      means: 'At least one mail to your members or users could not be sent.',
      check:
        'What to check: is the address right? The page of the member says why the mail did not go out. If it concerns all mails, tell whoever runs this Callgate.',
    },
  },
}
