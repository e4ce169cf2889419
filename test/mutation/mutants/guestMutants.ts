// Mutants in the guest's page.

import type { Mutant } from './mutant.ts'

const guestForms = 'cloud/src/guest/guestForms.ts'
const test = 'cloud/src/guest/presses.test.ts'

export const guestMutants: readonly Mutant[] = [
  {
    name: 'a press of a guest is taken however long it was on its way',
    file: guestForms,
    find: 'if (isLate(form, ageMs)) return',
    replace: 'if (isLate(form, 0)) return',
    why: 'a phone that finds its network minutes later opens a gate where nobody stands any more',
    test,
    breaks: 'P2',
  },
  {
    name: 'a form without the script presses at once',
    file: guestForms,
    find: "if (!form.has('press')) {",
    replace: "if (nonce === '') {",
    why: 'a program that previews a link and sends its forms opens the gate',
    test,
    breaks: 'P8',
  },
]
