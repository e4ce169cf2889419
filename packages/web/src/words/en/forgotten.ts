// English: a forgotten password.

export const forgotten = {
  title: 'Forgotten your password?',
  intro: 'We send you a link that sets a new one.',
  send: 'Send the link',
  sending: 'Sending…',
  badEmail: 'This is not an e-mail address.',
  asked: 'Look at your mail',
  askedWhy: (email: string) =>
    `If ${email} has an account here, a mail is on its way. Its link works once, for an hour.`,
  toSignIn: 'Back to sign in',
  dead: 'This link does not work',
  deadWhy: 'It was used, or is older than an hour. Nothing was changed.',
  askAgain: 'Ask for a new link',
  newTitle: 'Set a new password',
  newIntro: 'All your sessions end, on every device.',
  newPassword: 'New password',
  rule: (least: number) => `At least ${least} characters. A sentence is easy to remember.`,
  set: 'Set the password',
  setting: 'Setting…',
  done: 'The password is set',
  doneWhy: 'Sign in with it now.',
}
