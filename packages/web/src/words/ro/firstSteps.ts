// Romanian: the first steps of a Space.

import type { Words } from '../words.tsx'

export const firstSteps: Words['firstSteps'] = {
  title: 'De la nimic la prima deschidere',
  says: (done, of) => `${done} din ${of} făcute. Ce este făcut rămâne; revino când stai la poartă.`,
  allDone: 'Toți cei șase pași sunt făcuți.',
  of: (done, of) => `${done} din ${of} primi pași sunt făcuți.`,
  goOn: 'Continuă',
  done: 'Făcut',
  onPhone: 'Continuă pe telefon',
  onPhoneCode: 'Codul QR al adresei acestei pagini',
  onPhoneHow: 'Îndreaptă camera telefonului spre el și conectează-te acolo.',
  before: 'Înainte de primul apel',
  beforeWhy: 'O poartă reală se va mișca. Stai unde o vezi și ține departe oamenii și mașinile.',
  space: { title: 'Spațiu' },
  gateway: {
    title: 'Gateway',
    todo: 'O cutie mică cu o cartelă SIM, care sună poarta. Este admisă cu un cod de zece minute.',
    added: name => `${name} a fost adăugat și nu a fost încă online. Pornește programul lui pe Pi.`,
    registered: name => `${name} este online și înregistrat`,
    online: name => `${name} este online, încă fără rețea mobilă`,
    away: name => `${name} a fost online și acum este offline`,
  },
  gate: { title: 'Poartă', todo: 'Numele ei și numărul cartelei SIM din modul.' },
  number: {
    title: 'Spune porții numărul',
    todo: 'Modulul ei deschide doar pentru numerele din lista lui. Trimite-i acest SMS de pe telefonul tău.',
    said: 'Notat aici: numărul este în lista modulului.',
    played: 'Un spațiu de test nu sună pe nimeni, deci niciun modul nu trebuie să cunoască un număr.',
    known: 'Modulul cunoaște numărul: poarta s-a deschis.',
    probably: 'Modulul cunoaște probabil numărul: poarta s-a deschis probabil.',
  },
  call: {
    title: 'Fă primul apel',
    todo: 'Stai unde vezi poarta, apasă și privește dacă se mișcă.',
    unmeasured: gate => `Încă nu s-a măsurat cum preia apelul ${gate}. Câteva apeluri de probă arată asta.`,
  },
  link: {
    title: 'Dă cuiva un link',
    todo: 'Un membru are un singur link, care deschide porțile alese de tine. Fără aplicație și fără parolă.',
    has: name => `${name} are un link`,
    byKey: 'Altcineva decât un utilizator al panoului a deschis poarta.',
  },
  facts: {
    sim: 'Cartela SIM',
    simStates: { ready: 'funcționează', broken: 'nu funcționează', notKnown: 'necunoscut' },
    number: 'Numărul lui',
    no: 'nescris',
    well: 'În regulă:',
    look: 'De rezolvat:',
  },
}
