// Romanian: the list of the members.

import type { Words } from '../words.tsx'

export const members: Words['members'] = {
  state: (links, may) =>
    `${links === 1 ? '1 persoană are' : `${links} persoane au`} un link. ${may === 1 ? '1 poate' : `${may} pot`} deschide acum.`,
  what: 'Membrii',
  add: 'Adaugă membru',
  find: 'Nume, telefon sau notă',
  states: {
    active: 'Toți',
    allowed_now: 'Au voie acum',
    ending_soon: 'Se încheie curând',
    ended: 'Încheiați',
    inactive: 'Dezactivați',
  },
  filter: 'Care membri',
  gate: 'Poarta',
  allGates: 'Toate porțile',
  table: {
    member: 'Membru',
    gates: 'Porți',
    now: 'Acum',
    when: 'Când',
    uses: 'Folosiri rămase',
    last: 'Ultima folosire',
  },
  noGate: 'Niciuna',
  gates: count => `${count} porți`,
  allOf: count => `Toate ${count}`,
  more: count => `+${count}`,
  moreHeard: count => `și încă ${count}`,
  until: moment => `până ${moment}`,
  next: moment => `urmează: ${moment}`,
  noCap: 'fără limită',
  left: (left, of) => `${left} din ${of}`,
  copyLink: name => `Copiază linkul pentru ${name}`,
  none: 'Nimeni nu are încă un link',
  noneWhy:
    'Un membru este o persoană cu un singur link, care deschide fiecare poartă aleasă de tine, la orele alese de tine. Fără aplicație și fără parolă.',
  noneFound: 'Nu s-a găsit nimeni',
  noneFoundWhy: 'Niciun membru nu se potrivește cu căutarea și filtrele acestea.',
  showAll: 'Arată toți',
  page: (from, to, of) => `${from}–${to} din ${of}`,
  pageOpen: (from, to) => `${from}–${to}`,
  previous: 'Pagina dinainte',
  following: 'Pagina următoare',
}
