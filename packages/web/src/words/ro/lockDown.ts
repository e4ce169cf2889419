// Romanian: the lock-down of all gates.

import type { lockDown as english } from '../en/lockDown.ts'

export const lockDown: typeof english = {
  banner: 'Toate porțile sunt blocate.',
  bannerWhy: (since, by) =>
    `${by === null ? 'De la' : `De către ${by}, de la`} ${since}. Nimeni nu le poate deschide.`,
  end: 'Ridică blocarea',
  endTitle: 'Ridici blocarea porților?',
  endText:
    'Membrii, cheile și utilizatorii pot deschide din nou porțile, ca înainte. O apăsare refuzată între timp nu deschide nimic.',
  ending: 'Se ridică…',
  lockTitle: 'Blochezi toate porțile?',
  lockMeans: [
    'Nimeni nu deschide nicio poartă până ridici blocarea: niciun membru, nicio cheie API, niciun administrator.',
    'Apăsările care își așteaptă apelul se încheie.',
    'Un apel în curs continuă. O poartă deschisă rămâne deschisă.',
  ],
  locking: 'Se blochează…',
}
