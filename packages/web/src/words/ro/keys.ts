// Romanian: the page of the API keys, and the dialogs that make and revoke one.

import type { Words } from '../words.tsx'

export const keys: Words['keys'] = {
  title: 'Chei API',
  what: 'Cheile API',
  says: 'Una pentru fiecare integrare, ca fiecare să poată fi revocată separat.',
  create: 'Creează o cheie',
  none: 'Încă nicio cheie',
  noneWhy:
    'Un program folosește o cheie ca să lucreze cu acest spațiu: un calendar de rezervări, o recepție, un raport.',
  noPlan: plan => `Planul ${plan} nu are API: cheile sunt refuzate până se schimbă planul.`,
  stay: 'Cheile aparțin spațiului și rămân când pleacă persoana care le-a creat.',
  documentation: 'Documentația API',
  table: { key: 'Cheie', may: 'Poate', uses: '30 de zile', last: 'Folosită', ends: 'Se încheie' },
  never: 'niciodată',
  requests: (count, isOne) => (isOne ? '1 cerere în 30 de zile' : `${count} cereri în 30 de zile`),
  revokedOn: day => `revocată ${day}`,
  endedOn: day => `încheiată ${day}`,
  showOver: count => (count === 1 ? 'Arată una încheiată' : `Arată ${count} încheiate`),
  hideOver: 'Ascunde cele încheiate',
  more: name => `Ce se poate face cu ${name}`,
  scopes: {
    'gates:read': 'Vede porțile',
    'gates:write': 'Adaugă și schimbă porți',
    'gates:open': 'Deschide porți',
    'members:read': 'Vede membrii și linkurile lor',
    'members:write': 'Adaugă și schimbă membri și accesuri',
    'history:read': 'Citește deschiderile și activitatea',
  },
  scopeNotes: {
    'members:read': 'Linkurile deschid porți: cine le citește poate deschide.',
    'gates:open':
      'Un program cu această cheie mișcă o barieră reală, la orice oră, fără să se uite nimeni. Programul orar nu o limitează; o limitează 10 deschideri pe minut.',
  },
  form: {
    title: 'Creează o cheie',
    why: 'Dă-i numai ce îi trebuie integrării.',
    name: 'Nume',
    ends: 'Se încheie',
    ending: { days30: 'În 30 de zile', days90: 'În 90 de zile', year: 'Într-un an', never: 'Niciodată' },
    may: 'Poate',
    noScope: 'Bifează cel puțin una.',
    creating: 'Se creează…',
    notMade: 'Nu s-a creat nicio cheie.',
    noAnswer:
      'Serverul nu a răspuns, deci nu se știe dacă s-a creat o cheie. Uită-te în listă: dacă o vezi, revoc-o acolo, pentru că secretul ei s-a pierdut.',
  },
  made: {
    title: name => `${name} este gata`,
    once: 'Cheia se arată numai acum. Păstreaz-o acolo de unde integrarea își citește secretele.',
    secret: 'Cheia',
    tryIt: 'Încearc-o',
    stored: 'Am păstrat-o. Dacă se pierde, fac alta.',
    done: 'Gata',
  },
  revoke: {
    open: 'Revocă',
    title: name => `Revoci ${name}?`,
    does: 'Revocă',
    doing: 'Se revocă…',
    refused: beginning => `${beginning}… este refuzată începând cu următoarea cerere.`,
    stops: (requests, used) => `Ce o folosește se oprește: ${requests}, folosită ultima dată ${used}.`,
    unused: 'Nu a fost folosită niciodată.',
    could: scopes => `Putea: ${scopes}.`,
    forGood: 'Nu există cale înapoi. O integrare de care mai este nevoie primește o cheie nouă.',
    noAnswer: 'Serverul nu a răspuns. Citește lista din nou ca să vezi dacă cheia s-a încheiat.',
  },
}
