// Romanian: an invitation to a Space.

import type { Words } from '../words.tsx'

export const invitation: Words['invitation'] = {
  title: space => `Ai o invitație în ${space}`,
  intro: {
    admin: (email, by) =>
      `${by} te invită ca administrator, cu ${email}. Vezi porțile și membrii și poți deschide.`,
    owner: (email, by) => `${by} te invită ca proprietar, cu ${email}. Poți schimba totul aici.`,
  },
  name: 'Numele tău',
  nameMissing: 'Scrie numele tău.',
  create: 'Creează contul',
  join: 'Acceptă',
  joining: 'Se acceptă…',
  dead: 'Această invitație nu merge',
  deadWhy: 'A fost folosită, retrasă sau este mai veche de 72 de ore. Cere una nouă de la cine te-a invitat.',
  toSignIn: 'Înapoi la intrare',
  unread: 'Invitația nu a venit',
}
