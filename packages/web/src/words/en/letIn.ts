// English: how to add a number to the module of a gate.

export const letIn = {
  title: 'How to let a number in',
  gateway: 'Gateway',
  brand: 'Brand of the module',
  choose: 'Choose…',
  send: (number: string) => `Send this message (SMS) from a phone to the module, ${number}:`,
  message: 'Message to the module',
  password: (word: string) => `In the place of ${word} goes the password of the module.`,
  notes: {
    place: (word: string) =>
      `In the place of ${word} goes a free place in its list, with three digits, such as 010.`,
    capitals: () => 'Capital letters stay capital, and nothing is added.',
    fromAdmin: () => 'It counts only from the phone of an administrator of the module.',
  },
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
    placeHint: 'A free one, with three digits, such as 010.',
    password: 'Password of the module',
    passwordHint: 'Only the gateway can read it. It is not kept.',
    passwordWrong: 'Modules of this brand have another form: four digits for most. See the manual.',
    running: 'The message is on its way.',
    runningWhy: 'The answer of the module is waited for, up to two minutes. An opening goes first.',
    sent: (when: string) => `Sent ${when}.`,
    unknown: (when: string) =>
      `Nobody knows whether the message of ${when} was sent. It is not sent again by itself.`,
    notSent: (when: string) => `The message of ${when} was not sent.`,
    answered: (text: string) => `The module probably answered: ${text}. If that is a yes, make a test call.`,
    noAnswer: 'The module has not answered. Some never do: make a test call.',
    cannot: 'This gateway’s version cannot send messages. Update it, or send the message from a phone.',
    tooMany: 'This gate was sent five messages in 24 hours. Send the next one from a phone.',
  },
  other: 'Another brand? Its manual says how a phone number is allowed to call.',
}
