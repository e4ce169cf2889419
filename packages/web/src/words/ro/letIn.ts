// Romanian: how to add a number to the module of a gate.

import type { Words } from '../words.tsx'

export const letIn: Words['letIn'] = {
  title: 'Cum se permite un număr',
  gateway: 'Gateway',
  brand: 'Marca modulului',
  choose: 'Alege…',
  send: number => `Trimite acest mesaj (SMS) de pe un telefon către modul, ${number}:`,
  message: 'Mesaj către modul',
  password: word => `În locul lui ${word} vine parola modulului.`,
  notes: {
    place: word => `În locul lui ${word} vine un loc liber din lista lui, cu trei cifre, de exemplu 010.`,
    capitals: () => 'Literele mari rămân mari și nu se adaugă nimic.',
    fromAdmin: () => 'Contează doar de pe telefonul unui administrator al modulului.',
  },
  source: manual => `Așa scrie în: ${manual}. Altă versiune poate fi diferită; atunci contează manualul ei.`,
  sending: {
    open: 'Trimite-l de la gateway',
    title: 'Trimite mesajul de la gateway',
    does: 'Trimite mesajul',
    asking: 'Se cere gateway-ului…',
    means: (brand, number) =>
      `Gateway-ul trimite un singur mesaj (SMS) în forma pentru ${brand} către ${number}, cu numărul propriei cartele SIM. Costă cât costă acolo un mesaj.`,
    place: 'Locul din lista modulului',
    placeHint: 'Unul liber, cu trei cifre, de exemplu 010.',
    password: 'Parola modulului',
    passwordHint: 'Doar gateway-ul o poate citi. Nu este păstrată.',
    passwordWrong: 'Modulele acestei mărci cer altă formă: cele mai multe patru cifre. Vezi manualul.',
    running: 'Mesajul este pe drum.',
    runningWhy: 'Se așteaptă răspunsul modulului, cel mult două minute. O deschidere are întâietate.',
    sent: when => `Trimis ${when}.`,
    unknown: when => `Nu se știe dacă mesajul din ${when} a fost trimis. El nu se retrimite de la sine.`,
    notSent: when => `Mesajul din ${when} nu a fost trimis.`,
    answered: text => `Modulul a răspuns probabil: ${text}. Dacă acesta este un da, fă un apel de probă.`,
    noAnswer: 'Modulul nu a răspuns. Unele nu răspund niciodată: fă un apel de probă.',
    cannot:
      'Versiunea acestui gateway nu poate trimite mesaje. Actualizeaz-o sau trimite mesajul de pe un telefon.',
    tooMany:
      'Acestei porți i s-au trimis cinci mesaje în 24 de ore. Trimite-l pe următorul de pe un telefon.',
  },
  other: 'Altă marcă? Manualul ei spune cum se permite un număr de telefon.',
}
