// Romanian: pushes to the devices of the user.

import type { push as english } from '../en/push.ts'

export const push: typeof english = {
  title: 'Notificări pe dispozitivele tale',
  says: 'Din toate spațiile tale. Notificările nu conțin nume: browserul le adaugă cât timp ești în cont.',
  what: 'Dispozitivele tale',
  alerts: 'Alerte pe acest dispozitiv',
  alertsWhy: 'Când ceva nu merge și când merge din nou.',
  openings: 'Cine a deschis, pe acest dispozitiv',
  openingsWhy: 'De fiecare dată când altcineva a deschis o poartă.',
  cannot: {
    denied:
      'Acest browser nu lasă Callgate să te anunțe. Permite notificările pentru această adresă în setările browserului, apoi încarcă din nou pagina.',
    add_to_home:
      'Pe iPhone sau iPad, adaugă întâi Callgate pe ecranul principal: Partajează, apoi „Adaugă pe ecranul principal”. Deschide-l de acolo și revino la această pagină.',
    unsupported:
      'Acest browser nu poate arăta notificări ale paginilor. Folosește alt browser sau alt dispozitiv.',
  },
  refused: 'Browserul nu a permis. Pe acest dispozitiv nu se trimite nimic.',
  devices: 'Alte dispozitive anunțate',
  device: browser =>
    browser === 'Unknown browser'
      ? 'Browser necunoscut'
      : browser.replace(/^A browser/, 'Un browser').replace(' on ', ' pe '),
  gets: { both: 'Alerte, cine a deschis', alerts: 'Alerte', openings: 'Cine a deschis', none: 'Nimic' },
  added: day => `adăugat ${day}`,
  remove: 'Elimină',
  removeOf: name => `Elimină ${name}`,
  notRemoved: 'Nu a fost eliminat.',
}
