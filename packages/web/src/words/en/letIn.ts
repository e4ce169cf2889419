// English: how the module of a gate is told to let a number in.

export const letIn = {
  title: 'How to let a number in',
  gateway: 'Gateway',
  brand: 'Brand of the module',
  choose: 'Choose…',
  send: (number: string) => `Send this message (SMS) from a phone to the module, ${number}:`,
  message: 'Message to the module',
  password: (word: string) =>
    `In the place of ${word} goes the password of the module. It is not typed here, and Callgate never knows it.`,
  notes: {
    place: (word: string) =>
      `In the place of ${word} goes a free place in its list, with three digits, such as 010.`,
    capitals: () => 'Capital letters stay capital, and nothing is added.',
    fromAdmin: () => 'It counts only from the phone of an administrator of the module.',
  },
  source: (manual: string) =>
    `As it stands in: ${manual}. Another version may differ; then its manual counts.`,
  other: 'Another brand? Its manual says how a phone number is allowed to call.',
}
