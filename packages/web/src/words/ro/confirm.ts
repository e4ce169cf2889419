// Romanian: the confirmation of identity, before anything that a stolen session must not do.

import type { Words } from '../words.tsx'

export const confirm: Words['confirm'] = {
  title: 'Confirmă că ești tu',
  why: 'Aici se cere din nou parola ta sau o cheie de acces. Este valabil cinci minute.',
  password: 'Parola ta',
  passwordMissing: 'Scrie parola ta.',
  wrong: 'Aceasta nu este parola ta.',
  wrongKey: 'Această cheie de acces nu este a ta, sau nu a fost acceptată.',
  noKey: 'Nu s-a dat nicio cheie de acces.',
  does: 'Confirmă',
  doing: 'Se confirmă…',
  notDone: 'Nu s-a făcut.',
  byKey: 'Folosește o cheie de acces',
  askingKey: 'Se așteaptă cheia de acces…',
  leaveTitle: 'Renunți la ce ai scris?',
  leaveWhy: 'Încă nu este salvat.',
  keepTyping: 'Scrie mai departe',
}
