// Romanian: the page of the gates before there is one.

import type { emptyGates as english } from '../en/emptyGates.ts'

export const emptyGates: typeof english = {
  connect: 'Conectează un gateway',
  title: 'O poartă se deschide pentru că este sunată',
  text: 'Cele mai multe porți au deja un modul cu o cartelă SIM, care deschide când sună un număr cunoscut. Callgate îl sună pentru tine.',
  parts: [
    ['O apăsare', 'dintr-un link, un program sau aici'],
    ['Gateway-ul tău', 'o cutie mică cu o cartelă SIM'],
    ['Un apel', 'trebuie doar să sune'],
    ['Poarta ta', 'cunoaște numărul, deschide'],
  ],
  steps: [
    ['Conectează un gateway', 'Cutia care face apelurile. O conectezi cu un cod.'],
    ['Adaugă poarta', 'Numele ei și numărul cartelei SIM din modul.'],
    ['Fă primul apel', 'Stai unde vezi poarta și privește dacă se mișcă.'],
  ],
  pretend: {
    before: 'Nu ai un gateway la îndemână? ',
    make: 'Încearcă totul cu unul simulat',
    after: ', care nu mișcă nicio poartă reală.',
    making: 'Se pregătește…',
    name: 'De probă',
    location: 'O poartă de probă',
    gates: {
      rejected_after_ring: 'Poartă care se deschide',
      busy: 'Poartă ocupată',
      unknown: 'Poartă nesigură',
    },
    failed: 'Nu s-a creat.',
    noAnswer: 'Nu a venit niciun răspuns. Uită-te la spațiile tale înainte să încerci din nou.',
  },
}
