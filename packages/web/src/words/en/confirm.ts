// English: the confirmation of identity, before anything that a stolen session must not do.

export const confirm = {
  title: 'Confirm that it is you',
  why: 'This asks for your password or a passkey again. It holds for five minutes.',
  password: 'Your password',
  passwordMissing: 'Type your password.',
  wrong: 'This is not your password.',
  wrongKey: 'This passkey is not yours, or was not accepted.',
  noKey: 'No passkey was given.',
  does: 'Confirm',
  doing: 'Confirming…',
  notDone: 'Not done.',
  byKey: 'Use a passkey',
  askingKey: 'Waiting for the passkey…',
  leaveTitle: 'Discard what you typed?',
  leaveWhy: 'It is not saved yet.',
  keepTyping: 'Keep typing',
}
