// Romanian: the meaning of each signal of the line, in the order of a call.

import type { Words } from '../words.tsx'

export const line: Words['line'] = {
  dial: 'Gateway-ul formează numărul porții',
  accepted: 'Apelul a fost acceptat; încă nu dovedește nimic',
  settingUp: 'Se stabilește apelul',
  ringing: 'Poarta sună',
  answered: 'Ceva a răspuns la apel',
  ended: 'Apelul s-a încheiat',
  rejected: 'Celălalt capăt a respins apelul',
  released: 'Apelul a fost închis',
  unanswered: 'Nimeni nu a răspuns',
  noTone: 'Rețeaua nu a dat linie',
  noCall: 'Nu mai este niciun apel pe linie',
  cause: code => `Rețeaua dă cauza ${code}`,
  hungUp: 'Gateway-ul a închis',
  stopped: 'Modemul s-a oprit',
  network: 'Modemul era din nou în rețea',
  noNetwork: 'Modemul a pierdut rețeaua',
  power: 'Alimentarea modemului a cedat',
  other: 'Alt apel era pe linie',
  confirmed: 'Modulul porții a confirmat că a deschis',
  unconfirmed: 'Modulul porții nu a confirmat la timp',
  unheard: 'Modemul nu a răspuns gateway-ului',
  refused: 'Modemul a refuzat să apeleze',
  stood: 'Gateway-ul s-a blocat o clipă; momentele de după pot fi întârziate',
}
