// Romanian: the form of a gate.

import type { gateForm as english } from '../en/gateForm.ts'

export const gateForm: typeof english = {
  add: 'Adaugă o poartă',
  adding: 'Se adaugă…',
  edit: gate => `Modifică ${gate}`,
  numberHint: 'Al cartelei SIM din modulul porții. Acest număr se apelează.',
  sandboxNumberHint: '+44 7700 900100 deschide, +44 7700 900200 este ocupat. Celelalte sunt în documentație.',
  numberChanges: 'Cu alt număr poarta nu mai este calibrată.',
  placeHint: 'Unde este, pentru cine are mai multe.',
  limit: 'Planul nu mai permite nicio poartă activă în plus.',
  notSaved: 'Nesalvat.',
  changedMeanwhile: who => `${who} a schimbat această poartă între timp. Ce ai scris este încă aici.`,
  noAnswer: 'Serverul nu a răspuns. Nu se știe dacă s-a salvat; verifică înainte să salvezi din nou.',
  gone: 'Această poartă nu mai există.',
  willBeCalled: (number, country) =>
    country === '' ? `Se va apela: ${number}.` : `Se va apela: ${number} (${country}).`,
  sameNumber: gate =>
    `${gate} are deja acest număr. Un apel pentru o poartă este și un apel pentru cealaltă.`,
}
