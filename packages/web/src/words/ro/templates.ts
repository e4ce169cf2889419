// Romanian: the templates of accesses.

import type { templates as english } from '../en/templates.ts'
import { count } from './counted.ts'

export const templates: typeof english = {
  title: 'Modele',
  says: 'Ore, un sfârșit și o limită de folosiri sub un singur nume, pentru cine dă acces. Schimbarea unui model nu schimbă niciun acces dat.',
  what: 'Modelele',
  take: 'Ia dintr-un model',
  give: 'Dă acces după un model',
  add: 'Adaugă model',
  edit: 'Modifică',
  editOf: name => `Modifică ${name}`,
  none: 'Niciun model încă',
  noneWhy:
    'Păstrează ce dai des, de exemplu „Curățenie”: marți 08:00–12:00. Se oferă oriunde se dă un acces.',
  anyGate: 'nicio poartă fixă',
  days: days => (days === 1 ? 'pentru acea zi' : `pentru ${count(days, '', 'zile')}`),
  noEnd: 'fără sfârșit',
  addTitle: 'Model nou',
  editTitle: name => `Modelul ${name}`,
  name: 'Nume',
  nameTaken: 'Există un model cu acest nume.',
  gates: 'Porți',
  gatesHint: 'Niciuna: alege cine dă accesul.',
  endsAfter: 'Se încheie după atâtea zile',
  endsAfterHint: 'Numărate din ziua în care se dă, care este prima. Gol: fără sfârșit.',
  endsAfterWrong: most => `Scrie un număr întreg de la 1 la ${most}, sau nimic.`,
  save: 'Salvează',
  saving: 'Se salvează…',
  remove: 'Șterge modelul',
  removing: 'Se șterge…',
  removeTitle: name => `Ștergi modelul ${name}?`,
  removeMeans: ['Nu mai este oferit unde se dă un acces.', 'Accesele date după el rămân așa cum sunt.'],
  notSaved: 'Nu s-a salvat.',
  full: most => `Un spațiu păstrează cel mult ${count(most, 'un model', 'modele')}.`,
}
