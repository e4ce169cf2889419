// Romanian: the page of the webhooks, and its dialogs.

import type { webhooks as english } from '../en/webhooks.ts'
import { count } from './counted.ts'

export const webhooks: typeof english = {
  title: 'Webhook-uri',
  what: 'Webhook-urile',
  says: 'Callgate anunță un program al tău ce se întâmplă în acest spațiu. Trimite identificatori, nu nume.',
  create: 'Adaugă un webhook',
  none: 'Încă niciun webhook',
  noneWhy:
    'Adaugă adresa programului tău. El este apoi anunțat de deschideri și de membri schimbați, de obicei într-o secundă.',
  documentation: 'Cum se primesc și se verifică',
  active: 'Activ',
  stopped: 'Oprit',
  failing: 'Nu răspunde',
  failingSince: when => `Nicio încercare nu a reușit de la ${when}.`,
  stops: {
    switched_off: 'Cineva l-a oprit.',
    gone: 'A răspuns 410, deci nu i se mai trimite nimic.',
    failing: 'Nimic nu a ajuns la el timp de cinci zile, deci nu i se mai trimite nimic.',
    restored: 'Datele au fost restaurate dintr-o copie. Așteaptă până îl pornești din nou.',
  },
  errors: {
    name_not_found: 'Numele nu este cunoscut',
    address_refused: 'Numele duce într-o rețea privată, nu pe internet',
    connect_failed: 'Fără conexiune',
    tls_failed: 'Certificatul nu se potrivește',
    timed_out: 'Niciun răspuns în 15 s',
    answer_broken: 'Nu a răspuns un server web',
    answer_refused: 'Refuzat',
  },
  hears: {
    all: 'Toate evenimentele',
    openings: 'Deschideri',
    some: types => count(types, '1 tip', 'tipuri'),
  },
  pair: when => `Secretul anterior este valabil până la ${when}.`,
  more: host => `Ce se poate face cu ${host}`,
  menu: {
    test: 'Trimite un test',
    deliveries: 'Trimiteri',
    secret: 'Secret nou',
    off: 'Oprește',
    on: 'Pornește din nou',
    remove: 'Șterge',
  },
  form: {
    title: 'Adaugă un webhook',
    why: 'Adresa primește un POST pentru fiecare eveniment. Secretul dovedește că vine de aici.',
    url: 'Adresa',
    urlHint: 'Cu https:// și un nume public, ca https://desk.example.com/callgate',
    urlMissing: 'Scrie adresa.',
    description: 'La ce folosește',
    types: 'Ce evenimente',
    choices: { all: 'Toate evenimentele', openings: 'Doar deschiderile' },
    does: 'Adaugă',
    doing: 'Se adaugă…',
    notMade: 'Nu s-a adăugat niciun webhook.',
    noAnswer:
      'Serverul nu a răspuns, deci nu se știe dacă s-a adăugat un webhook. Uită-te în listă: dacă este acolo, șterge-l, fiindcă secretul lui s-a pierdut.',
  },
  made: {
    title: 'Secretul',
    once: 'Secretul se arată numai acum. Păstrează-l acolo unde programul care primește își citește secretele.',
    secret: 'Secretul',
    stored: 'L-am păstrat. Dacă se pierde, fac altul.',
    done: 'Gata',
  },
  rotate: {
    title: host => `Un secret nou pentru ${host}?`,
    does: 'Creează un secret',
    doing: 'Se creează…',
    means: ['Timp de 24 de ore totul se semnează cu ambele secrete.', 'Apoi este valabil numai cel nou.'],
  },
  off: {
    title: host => `Oprești ${host}?`,
    does: 'Oprește',
    doing: 'Se oprește…',
    means: [
      'Nu se mai trimite nimic, iar ce așteaptă se abandonează.',
      'Ce se întâmplă între timp nu se păstrează pentru el.',
    ],
  },
  on: {
    title: host => `Pornești din nou ${host}?`,
    does: 'Pornește',
    doing: 'Se pornește…',
    means: [
      'Mai întâi i se spune că unele evenimente nu i-au fost trimise.',
      'Programul lui citește apoi ce a pierdut.',
    ],
  },
  remove: {
    title: host => `Ștergi ${host}?`,
    does: 'Șterge',
    doing: 'Se șterge…',
    means: [
      'Nu i se mai trimite nimic.',
      'Secretul și lista trimiterilor lui se șterg. Istoricul spațiului rămâne.',
    ],
  },
  log: {
    title: host => `Trimiteri către ${host}`,
    what: 'Trimiterile',
    close: 'Închide',
    none: 'Nimic nu s-a trimis în ultimele 7 zile',
    noneWhy: 'Trimite un test, ca să vezi cum răspunde programul.',
    states: { waiting: 'Așteaptă', delivered: 'Livrat', given_up: 'Abandonat' },
    answered: (status, took) => `${status} după ${took}`,
    failed: (why, took) => `${why}, după ${took}`,
    refused: status => `A răspuns ${status}`,
    tries: tries => count(tries, 'o încercare', 'încercări'),
    next: when => `Următoarea încercare ${when}`,
    resend: 'Trimite din nou',
    resendOf: (type, sequence) => `Trimite din nou ${type} ${sequence}`,
  },
}
