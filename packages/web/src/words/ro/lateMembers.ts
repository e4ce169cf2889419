// Romanian: what the members' pages say in dialogs and sheets.

import type { lateMembers as english } from '../en/lateMembers.ts'

export const lateMembers: typeof english = {
  sheet: {
    title: name => `Linkul pentru ${name}`,
    code: 'Linkul ca un cod QR',
    scan: 'Scanează-l cu camera unui telefon. Cine îl are poate deschide porțile.',
    opens: gates => `Deschide: ${gates}.`,
    look: 'Uită-te întâi la poartă. Dacă stă pe loc, apasă din nou.',
    until: (day, time) => `Până ${day}, ${time}.`,
    untilEndOf: day => `Până la sfârșitul zilei de ${day}.`,
    once: 'Deschide o singură dată.',
    print: 'Tipărește',
    picture: 'Ca imagine',
    pictureFailed: 'Acest browser nu a putut face imaginea. Tipărește cardul sau copiază linkul.',
    file: 'card-link.png',
  },
  visitor: {
    title: 'Link de vizitator',
    why: 'Un link pentru un timp, de dat mai departe. După sfârșit nu mai deschide nimic.',
    gate: 'Poarta',
    name: 'Nume',
    nameHint: name => `Fără nume va fi „${name}”.`,
    usualName: when => `Vizitator, ${when}`,
    end: 'Până',
    ends: {
      evening: 'azi, 18:00',
      today: 'la sfârșitul zilei de azi',
      tomorrow: 'la sfârșitul zilei de mâine',
      other: 'la altă oră…',
    },
    otherEnd: 'Se încheie',
    endMissing: 'Alege când se încheie.',
    endPast: 'Acest moment a trecut deja.',
    once: 'Deschide o singură dată',
    onceWhy: 'După o deschidere, linkul nu mai deschide nimic.',
    does: 'Fă linkul',
    doing: 'Se face…',
    notMade: 'Nu există încă niciun link.',
  },
}
