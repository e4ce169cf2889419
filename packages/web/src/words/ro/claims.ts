// Romanian: what the heads of pages claim of the gates of a Space.

import type { Words } from '../words.tsx'
import { count } from './counted.ts'

export const claims: Words['claims'] = {
  noneCalled: gates =>
    gates === 1
      ? 'Poarta nu a fost apelată încă.'
      : `Niciuna dintre cele ${count(gates, '', 'porți')} nu a fost apelată încă.`,
  opened: (opened, gates) => {
    if (gates === 1)
      return opened === 1 ? 'Apelurile au deschis poarta.' : 'Nu se știe ca poarta să se fi deschis.'
    const of = count(gates, '', 'porți')
    if (opened === 0) return `Nu se știe ca vreuna din ${of} să se fi deschis.`
    if (opened === gates) return `Apelurile au deschis toate cele ${of}.`
    return `Apelurile au deschis ${opened === 1 ? 'una' : opened} din ${of}.`
  },
  probably: many => (many === 1 ? 'Una s-a deschis probabil.' : `${many} s-au deschis probabil.`),
  silent: gate => `${gate} nu reacționează.`,
  toLookAt: gate => `${gate} are nevoie de atenție.`,
  manyToLookAt: many => `${count(many, '', 'porți')} au nevoie de atenție.`,
  untried: many => (many === 1 ? 'Una nu a fost apelată încă.' : `${many} nu au fost apelate încă.`),
  unopened: (gate, calls) =>
    calls === 1
      ? `${gate}: un apel, nu se știe să se fi deschis.`
      : `${gate}: ${count(calls, '', 'apeluri')}, la niciunul nu se știe să se fi deschis.`,
  unopenedGates: gates => `${count(gates, '', 'porți')} au fost apelate și nu se știe să se fi deschis.`,
  notYet: gates => `Din ce se știe, niciun apel nu a deschis încă ${gates}.`,
  more: many => (many === 1 ? 'încă una' : `încă ${many}`),
}
