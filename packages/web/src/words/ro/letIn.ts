// Romanian: how to add a number to the module of a gate.

import type { letIn as english } from '../en/letIn.ts'

/** A manual is named in English. */
const parts: Readonly<Record<string, string>> = {
  'user manual': 'manualul de utilizare',
  'quick guide': 'ghidul rapid',
  manual: 'manualul',
  section: 'secțiunea',
  page: 'pagina',
  table: 'tabelul',
}

const manualInRomanian = (manual: string) =>
  manual.replace(/user manual|quick guide|manual|section|page|table/g, part => parts[part] ?? part)

export const letIn: typeof english = {
  title: 'Cum se permite un număr',
  gateways: 'Gateway-urile',
  gateway: 'Gateway',
  brand: 'Modul',
  choose: 'Alege…',
  password: 'Parola lui',
  asDelivered: 'Ca la livrare, dacă nu a schimbat-o nimeni.',
  passwordWrong: 'Parolele acestei mărci au altă formă: patru cifre la cele mai multe module. Vezi manualul.',
  place: 'Locul din lista lui',
  placeHint: 'Unul liber, cu trei cifre, de exemplu 010.',
  blank: { password: '[parola]', place: '[locul]' },
  message: 'Mesaj către modul',
  goesTo: number => `Se trimite la ${number}.`,
  notes: {
    capitals: () => 'Literele mari rămân mari și nu se adaugă nimic.',
    fromAdmin: () => 'Contează doar de pe telefonul unui administrator al modulului.',
  },
  write: 'Scrie SMS-ul',
  inList: 'Este în listă',
  isInList: 'Notat aici: este în listă.',
  typeFirst: 'Modulul trebuie să cunoască numărul cartelei SIM din gateway. Nu l-a scris încă nimeni.',
  type: 'Scrie numărul',
  noGateway: 'Nu există încă un gateway, deci nu există niciun număr de permis.',
  source: manual =>
    `Din: ${manualInRomanian(manual)}. Altă versiune poate fi diferită; atunci contează manualul ei.`,
  sending: {
    open: 'Trimite-l de la gateway',
    title: 'Trimite mesajul de la gateway',
    does: 'Trimite mesajul',
    asking: 'Se întreabă gateway-ul…',
    means: (brand, number) =>
      `Gateway-ul trimite un singur mesaj (SMS) în forma pentru ${brand} către ${number}, cu numărul propriei cartele SIM. Costă cât costă acolo un mesaj.`,
    place: 'Locul din lista modulului',
    password: 'Parola modulului',
    passwordHint: 'Doar gateway-ul o poate citi. Nu este păstrată.',
    running: 'Mesajul este pe drum.',
    runningWhy: 'Se așteaptă răspunsul modulului, cel mult două minute. O deschidere are întâietate.',
    sent: when => `Trimis ${when}.`,
    unknown: when => `Nu se știe dacă mesajul cerut ${when} a fost trimis. Nu se retrimite de la sine.`,
    notSent: when => `Mesajul cerut ${when} nu a fost trimis.`,
    answered: text => `Modulul a răspuns probabil: ${text}. Dacă acesta este un da, fă un apel de probă.`,
    noAnswer: 'Modulul nu a răspuns. Unele nu răspund niciodată: fă un apel de probă.',
    cannot:
      'Versiunea acestui gateway nu poate trimite mesaje. Actualizeaz-o sau trimite mesajul de pe un telefon.',
    tooMany:
      'Acestei porți i s-au trimis cinci mesaje în 24 de ore. Trimite-l pe următorul de pe un telefon.',
  },
  other: number =>
    `Alt modul? Manualul lui spune cum se permite un număr de telefon. Trebuie să cunoască ${number}.`,
}
