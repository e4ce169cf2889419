// Romanian: updates of the programs of gateways.

import type { Words } from '../words.tsx'

export const updates: Words['updates'] = {
  title: 'Program',
  version: 'Versiune',
  versionUnknown: 'încă necunoscută',
  last: 'Ultima actualizare',
  newest: 'Nu se oferă nicio versiune mai nouă.',
  newer: version => `Se oferă versiunea ${version}`,
  update: version => `Actualizează la ${version}`,
  updating: 'Se salvează…',
  how: 'Se trece la ea între două apeluri. Dacă nu merge, gateway-ul revine singur la versiunea dinainte.',
  onlyOwners: 'Un proprietar al spațiului o poate permite.',
  cannot:
    'Programul acestui gateway nu primește actualizări de aici. Actualizează-l o dată chiar la gateway.',
  allowed: version => `Versiunea ${version} este permisă`,
  allowedHow: 'Gateway-ul este întrebat când este online. Permisiunea ține 7 zile.',
  takeBack: 'Retrage',
  asked: when => `Gateway-ul a fost întrebat ${when}`,
  askedHow: 'Descarcă versiunea, așteaptă un moment fără deschideri și o încearcă 5 minute.',
  states: {
    installed: (version, when) => `${version} merge, din ${when}`,
    taken_back: (version, when) => `${version} nu a mers și a fost retrasă, ${when}`,
    refused: (version, when) => `${version} nu a fost instalată, ${when}`,
  },
  otherState: (version, state, when) => `${version}: ${state}, ${when}`,
  why: why => `Gateway-ul spune: ${why}`,
  inList: {
    waits: version => `Actualizarea la ${version} așteaptă permisiunea ta`,
    waitsForOwner: version => `Actualizarea la ${version} așteaptă un proprietar`,
    allowed: version => `Actualizarea la ${version} este permisă`,
    byHours: version => `Se actualizează singur la ${version}`,
    byHand: version => `Se actualizează la ${version} chiar la gateway`,
    asked: 'Se actualizează acum',
  },
  hours: {
    title: 'Actualizarea gateway-urilor',
    why: 'Fără ore, un proprietar permite fiecare actualizare la gateway. Cu ore, gateway-urile acestui spațiu instalează singure versiunile noi noaptea, pe rând și între două apeluri.',
    from: 'De la',
    to: 'Până la',
    now: (from, to) => `Gateway-urile se actualizează singure între ${from} și ${to}.`,
    never: 'Gateway-urile nu se actualizează niciodată singure.',
    hint: 'După ceasul spațiului',
    wrong: 'Două ore diferite.',
    save: 'Permite la aceste ore',
    off: 'Niciodată',
    saving: 'Se salvează…',
  },
}
