// Romanian: the list of the members.

import { count } from '../time.ts'
import type { Words } from '../words.tsx'
import { count as counted, withDe } from './counted.ts'

const number = (value: number) => count(value, 'ro-RO')

export const members: Words['members'] = {
  state: (links, may) =>
    `${links === 1 ? '1 persoană are' : `${number(links)} ${withDe(links, 'persoane')} au`} un link. ${may === 1 ? '1 poate' : `${number(may)} pot`} deschide acum.`,
  what: 'Membrii',
  add: 'Adaugă membru',
  visitor: 'Link de vizitator',
  find: 'Nume, telefon sau notă',
  states: {
    current: 'Actuali',
    active: 'Toți',
    allowed_now: 'Au voie acum',
    ending_soon: 'Se încheie curând',
    ended: 'Încheiați',
    inactive: 'Dezactivați',
  },
  filter: 'Ce membri',
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
  gates: gates => counted(gates, '1 poartă', 'porți'),
  allOf: count => `Toate cele ${count} porți`,
  more: count => `+${count}`,
  moreHeard: count => `și încă ${count}`,
  until: moment => `până ${moment}`,
  next: moment => `urmează: ${moment}`,
  noCap: 'fără limită',
  left: (left, of) => `${number(left)} din ${number(of)}`,
  copyLink: name => `Copiază linkul pentru ${name}`,
  none: 'Nimeni nu are încă un link.',
  noneTitle: 'Dă cuiva un link',
  noneWhy:
    'Un membru este o persoană cu un singur link, care deschide fiecare poartă aleasă de tine, la orele alese de tine. Fără aplicație și fără parolă.',
  noneFound: 'Nu s-a găsit nimeni',
  noneFoundWhy: 'Niciun membru nu se potrivește cu căutarea și filtrele acestea.',
  showAll: 'Arată toți',
  page: (from, to, of) => `${number(from)}–${number(to)} din ${number(of)}`,
  pageOpen: (from, to) => `${number(from)}–${number(to)}`,
  previous: 'Pagina anterioară',
  following: 'Pagina următoare',
}
