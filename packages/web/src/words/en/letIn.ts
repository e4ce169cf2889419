// English: how to add a number to the module of a gate.

export const letIn = {
  title: 'How to let a number in',
  gateways: 'The gateways',
  gateway: 'Gateway',
  brand: 'Module',
  choose: 'Choose…',
  password: 'Its password',
  asDelivered: 'As delivered, unless somebody has changed it.',
  passwordWrong: 'This brand has passwords of another form: four digits for most modules. See the manual.',
  place: 'Place in its list',
  placeHint: 'A free one, with three digits, such as 010.',
  blank: { password: '[password]', place: '[place]' },
  message: 'Message to the module',
  goesTo: (number: string) => `It goes to ${number}.`,
  notes: {
    capitals: () => 'Capital letters stay capital, and nothing is added.',
    fromAdmin: () => 'It counts only from the phone of an administrator of the module.',
  },
  write: 'Write the SMS',
  inList: 'It is in the list',
  isInList: 'Noted here: it is in the list.',
  typeFirst: 'The module must know the number of the SIM card in the gateway. Nobody has typed it yet.',
  type: 'Type the number',
  noGateway: 'There is no gateway yet, so there is no number to let in.',
  source: (manual: string) =>
    `As it stands in: ${manual}. Another version may differ; then its manual counts.`,
  sending: {
    open: 'Send it from the gateway',
    title: 'Send the message from the gateway',
    does: 'Send the message',
    asking: 'Asking the gateway…',
    means: (brand: string, number: string) =>
      `The gateway sends one message (SMS) in the form of ${brand} to ${number}, with the number of its own SIM card. It costs what a message costs there.`,
    place: 'Place in the list of the module',
    password: 'Password of the module',
    passwordHint: 'Only the gateway can read it. It is not kept.',
    running: 'The message is on its way.',
    runningWhy: 'The gateway waits for the answer of the module, up to two minutes. An opening goes first.',
    sent: (when: string) => `Sent ${when}.`,
    unknown: (when: string) =>
      `Nobody knows whether the message asked for ${when} was sent. It is not sent again by itself.`,
    notSent: (when: string) => `The message asked for ${when} was not sent.`,
    answered: (text: string) => `The module probably answered: ${text}. If that is a yes, make a test call.`,
    noAnswer: 'The module has not answered. Some never do: make a test call.',
    cannot: 'This gateway’s version cannot send messages. Update it, or send the message from a phone.',
    tooMany: 'This gate was sent five messages in 24 hours. Send the next one from a phone.',
  },
  other: (number: string) =>
    `Another module? Its manual says how a phone number is allowed to call. It must know ${number}.`,
}
