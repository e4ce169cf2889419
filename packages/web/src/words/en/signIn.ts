// English: the page where a person signs in.

export const signIn = {
  title: 'Sign in',
  intro: 'To the dashboard of your Space.',
  email: 'E-mail',
  password: 'Password',
  show: 'Show the password',
  signIn: 'Sign in',
  signingIn: 'Signing in…',
  guest: 'Here as a guest? Your gate opens by the link that you were sent; there is nothing to sign in to.',
  invited: 'Nobody signs up here: an owner invites you.',
  ended: 'Your session has ended',
  endedWhy: 'Sign in again to go on. What you typed is still here.',
  emailMissing: 'Type your e-mail address.',
  passwordMissing: 'Type your password.',
  wrong: 'The e-mail or the password is not right.',
  wait: (seconds: number) => `Too many tries. Wait ${seconds} s, then try again.`,
  noAnswer: 'The server did not answer. Nothing was changed; try again.',
  seconds: (count: number) => `${count} s`,
  phases: {
    asked: ['Asked', 'A press, a link or a key'],
    calling: ['Calling', 'Your gateway dials the gate'],
    ringing: ['Ringing', 'The gate sees a number it knows'],
    taken: ['Taken', 'It takes the call, and opens'],
  },
}
