// Romanian: what the heads of the gateways and of the calibration claim.

import type { lateClaims as english } from '../en/lateClaims.ts'
import { count } from './counted.ts'

const gatesOf = (gates: number) => count(gates, '', 'porți')

export const lateClaims: typeof english = {
  pretend: 'Un gateway de probă',
  pretendWhy: 'Nu are modem și nici cartelă SIM, deci nu este nimic de măsurat. Sună numai porți de probă.',
  none: 'Niciunul încă. Un gateway este o cutie mică cu o cartelă SIM, care sună porțile.',
  isOnline: name => `${name} este online.`,
  isOnlineBut: (name, things) =>
    `${name} este online, cu ${count(things, 'un lucru', 'lucruri')} de rezolvat.`,
  notReady: 'Modemul lui nu este pregătit.',
  isOffline: name => `${name} este offline.`,
  isNew: name => `${name} nu a fost niciodată online.`,
  details: 'Detalii',
  isTooOld: (name, version) =>
    `Programul gateway-ului ${name} este prea vechi${version === null ? '' : `: ${version}`}.`,
  isCutOff: name => `${name} este blocat o oră.`,
  isShutOut: name => `${name} este exclus.`,
  manyOnline: (online, all) => {
    if (online === 0) return `Niciunul din ${all} nu este online: nicio poartă nu poate fi apelată.`
    return online === 1 ? `Unul din ${all} este online.` : `${online} din ${all} sunt online.`
  },
  allShutOut: 'Toate sunt excluse: nicio poartă nu poate fi apelată.',
  lastCalls: (opened, gates) => {
    if (opened === gates) return `Ultimele lui apeluri au deschis toate cele ${gatesOf(gates)}.`
    if (opened === 0) return `Nu se știe ca ultimele lui apeluri să fi deschis vreuna din ${gatesOf(gates)}.`
    return `Ultimele lui apeluri au deschis ${opened === 1 ? 'una' : opened} din ${gatesOf(gates)}.`
  },
  lastCall: {
    opened: gate => `Ultimul lui apel a deschis ${gate}.`,
    probably: gate => `Ultimul lui apel a deschis probabil ${gate}.`,
    didNot: gate => `Ultimul lui apel nu a deschis ${gate}.`,
    unknown: gate => `Nu se știe dacă ultimul lui apel a deschis ${gate}.`,
  },
  called: {
    never: gate => `${gate} nu a fost apelată încă.`,
    opened: gate => `${gate} s-a deschis la ultimul apel.`,
    probably: gate => `${gate} s-a deschis probabil la ultimul apel.`,
    didNot: gate => `${gate} nu s-a deschis la ultimul apel.`,
    unknown: gate => `Nu se știe dacă ${gate} s-a deschis la ultimul apel.`,
  },
}
