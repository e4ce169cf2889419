// Romanian: the texts of all forms.

import type { Words } from '../words.tsx'
import { count } from './counted.ts'

export const form: Words['form'] = {
  nameMissing: 'Scrie un nume.',
  long: most => `Cel mult ${count(most, 'un caracter', 'caractere')}.`,
  number: {
    wrong: 'Doar cifre, spații și +.',
    short: (least, most) => `Prea scurt: ${least} până la ${most} cifre.`,
    long: (least, most) => `Prea lung: ${least} până la ${most} cifre.`,
  },
  between: (least, most) => `Un număr întreg de la ${least} la ${most}.`,
  betweenOrEmpty: (least, most) => `Un număr întreg de la ${least} la ${most}, sau gol.`,
  theySet: value => `Altcineva a pus aici „${value}”.`,
  theyCleared: 'Altcineva a golit acest câmp.',
  saveMine: 'Salvează ce am scris eu',
}
