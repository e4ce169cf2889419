// English: an invitation to a Space.

export const invitation = {
  title: (space: string) => `You are invited to ${space}`,
  intro: {
    admin: (email: string, by: string) =>
      `${by} invites you as an admin, with ${email}. You see its gates and members, and can open.`,
    owner: (email: string, by: string) =>
      `${by} invites you as an owner, with ${email}. You can change everything in it.`,
  },
  name: 'Your name',
  nameMissing: 'Type your name.',
  create: 'Create the account',
  join: 'Accept',
  joining: 'Accepting…',
  dead: 'This invitation does not work',
  deadWhy: 'It was used, withdrawn, or is older than 72 hours. Ask who invited you for a new one.',
  toSignIn: 'Back to sign in',
  unread: 'The invitation did not come',
}
