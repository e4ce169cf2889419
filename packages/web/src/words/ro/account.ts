// Romanian: the page of the own account.

import type { Words } from '../words.tsx'
import { count as counted } from './counted.ts'

export const account: Words['account'] = {
  title: 'Contul tău',
  says: email => `Intri în cont ca ${email}.`,
  groups: { you: 'Tu', signIn: 'Autentificarea', data: 'Datele tale' },
  open: 'Contul tău',
  back: 'Înapoi',
  noAnswer:
    'Serverul nu a răspuns. Nu se știe dacă s-a făcut; uită-te la această pagină înainte să încerci din nou.',
  notDone: 'Nu s-a făcut.',
  profile: {
    title: 'Nume și limbă',
    name: 'Nume',
    nameHint: 'Cum te văd alții, în istoric și în mailuri.',
    language: 'Limba',
    languageHint: 'Pentru mailurile către tine. Panoul este în engleză și în română.',
    notSaved: 'Nu s-a salvat.',
  },
  password: {
    title: 'Parola',
    why: 'Toate celelalte sesiuni ale tale se încheie când o schimbi.',
    current: 'Parola actuală',
    currentMissing: 'Scrie parola ta actuală.',
    wrong: 'Aceasta nu este parola ta actuală.',
    fresh: 'Parola nouă',
    missing: 'Scrie o parolă nouă.',
    short: (least, has) => `Cel puțin ${least} caractere; aceasta are ${has}.`,
    guessed:
      'Această parolă este ușor de ghicit: este obișnuită, se repetă sau conține numele ori e-mailul tău. Folosește mai multe cuvinte care nu se leagă între ele.',
    does: 'Schimbă parola',
    doing: 'Se schimbă…',
    done: 'Parola este schimbată.',
    doneWhy: 'Toate celelalte sesiuni ale tale s-au încheiat.',
  },
  what: 'Cum intri în cont',
  passkeys: {
    title: 'Chei de acces',
    why: 'Cu o cheie de acces intri cu degetul, fața sau un PIN, în locul parolei și al codului.',
    none: 'Încă nicio cheie de acces.',
    added: day => `adăugată ${day}`,
    used: when => `folosită ultima dată ${when}`,
    unused: 'nefolosită',
    notHere: 'Acest browser nu suportă chei de acces.',
    add: 'Adaugă o cheie de acces',
    name: 'Nume',
    nameHint: 'Unde este, de exemplu „Telefon” sau „Cheia de la breloc”.',
    nameWhy: 'Browserul te întreabă unde să o păstreze.',
    does: 'Adaugă',
    doing: 'Se așteaptă browserul…',
    noneMade: 'Nu s-a creat nicio cheie de acces. Încearcă din nou sau renunță.',
    isKnown: 'Pe acest dispozitiv este deja o cheie de acces a ta.',
    elsewhere: host =>
      `Cheile de acces merg numai la adresa cu care este configurat acest Callgate, iar ${host} este alta.`,
    notTaken:
      'Cheia de acces nu a fost acceptată: nu s-a putut verifica sau a durat prea mult. Încearcă din nou.',
    full: 'Ai 20 de chei de acces, numărul maxim. Elimină una pe care nu o folosești.',
    remove: 'Elimină',
    removeOf: name => `Elimină ${name}`,
    removeTitle: name => `Elimini cheia de acces ${name}?`,
    removeMeans: [
      'Cu ea nu mai intră nimeni.',
      'Parola și celelalte chei de acces merg în continuare.',
      'Dispozitivul o poate oferi în continuare: șterge-o și acolo.',
    ],
    removing: 'Se elimină…',
  },
  codes: {
    title: 'Aplicație de autentificare',
    off: 'Neactivată. Cu ea, parola singură nu ajunge: scrii și un cod din aplicația de pe telefon.',
    since: day => `Din ${day}, pe lângă parolă se cere și un cod.`,
    left: count =>
      count === 1
        ? 'A rămas 1 cod de recuperare. Fă altele.'
        : `${count === 0 ? 'Nu a rămas niciun cod de recuperare.' : `Au rămas ${count} coduri de recuperare.`}${count < 4 ? ' Fă altele.' : ''}`,
    setUp: 'Activează',
    starting: 'Se pregătește…',
    steps: 'Scanează-l cu o aplicație de autentificare. Apoi scrie codul pe care îl arată.',
    qr: 'Cod QR cu cheia pentru aplicație',
    sameDevice: 'Deschide într-o aplicație de pe acest dispozitiv',
    byHand: 'Sau scrie această cheie în aplicație:',
    copyKey: 'Copiază cheia',
    code: 'Codul din aplicație',
    codeMissing: 'Scrie cele șase cifre pe care le arată aplicația.',
    wrongCode:
      'Acesta nu este codul pe care îl arată acum aplicația. Verifică dacă ceasul telefonului este bun.',
    others: 'Toate celelalte sesiuni ale tale se încheie.',
    enable: 'Pornește',
    enabling: 'Se pornește…',
    changed: 'Între timp s-a activat sau s-a început în altă parte. Închide și ia-o de la început.',
    renew: 'Coduri de recuperare noi',
    renewTitle: 'Faci coduri de recuperare noi?',
    renewMeans: ['Cele vechi nu mai merg.', 'Cele noi se arată o singură dată.'],
    renewDoes: 'Fă altele',
    renewing: 'Se fac…',
    disable: 'Oprește',
    disableTitle: 'Oprești aplicația de autentificare?',
    disableMeans: ['Intri din nou numai cu parola.', 'Codurile de recuperare nu mai merg.'],
    disabling: 'Se oprește…',
  },
  recovery: {
    title: 'Codurile tale de recuperare',
    once: 'Se arată numai acum. Cu fiecare intri o singură dată, în locul unui cod din aplicație, dacă pierzi telefonul.',
    list: 'Coduri de recuperare',
    of: email => `Coduri de recuperare Callgate pentru ${email}`,
    copy: 'Copiază-le pe toate',
    print: 'Tipărește',
    stored: 'Le-am păstrat, și nu pe telefonul cu aplicația.',
    done: 'Gata',
  },
  data: {
    title: 'Ce se păstrează despre tine',
    why: 'Un fișier cu nume, roluri, sesiuni, chei de acces, cereri de parolă nouă în așteptare și ce mailuri ți se trimit. Ce ai făcut într-un spațiu este în istoricul lui.',
  },
  sessions: {
    title: 'Sesiuni',
    what: 'Sesiunile tale',
    why: 'Browserele pe care ești în cont.',
    browser: named =>
      named === 'Unknown browser'
        ? 'Browser necunoscut'
        : named.replace(/^A browser/, 'Un browser').replace(' on ', ' pe '),
    current: 'Aceasta',
    began: day => `din ${day}`,
    used: when => `folosită ultima dată ${when}`,
    end: 'Încheie',
    endOf: browser => `Încheie ${browser}`,
    endTitle: browser => `Închei sesiunea din ${browser}?`,
    endMeans: [
      'Cine o folosește trebuie să intre din nou în cont.',
      'O apăsare din ea care nu a dus încă la un apel nu mai duce la unul.',
    ],
    endDoes: 'Încheie',
    ending: 'Se încheie…',
    endOthers: 'Încheie toate celelalte',
    othersTitle: 'Închei toate celelalte sesiuni?',
    othersMeans: count => [
      count === 1
        ? 'O sesiune se încheie; aceasta rămâne.'
        : `${counted(count, '', 'sesiuni')} se încheie; aceasta rămâne.`,
      'Cine îți știe parola poate intra din nou: schimb-o dacă se poate întâmpla asta.',
    ],
    othersDoes: 'Încheie-le',
  },
}
