// The guest's page in Romanian.

import type { Texts } from './texts.ts'

export const ro: Texts = {
  name: 'Română',
  title: 'Deschideți o poartă',
  open: 'Deschide',
  unit: 's',
  usually: 'de obicei {seconds} s',
  usuallyInAll: 'de obicei {seconds} s în total',
  until: 'Puteți deschide până la {time}',
  dayTime: '{time} {day}',
  left: 'Mai aveți {left} din {most} deschideri',
  mayOpen: 'Puteți deschide de la',
  inHours: 'peste {hours} h {minutes} min',
  inMinutes: 'peste {minutes} min',
  opens: 'Puteți deschide de la {time}',
  hours: 'Orele dumneavoastră',
  askHours: 'Cereți alte ore: {name}',
  call: 'Sunați: {name}',
  ask: 'Întrebați persoana care v-a dat acest link.',
  steps: ['Cerut', 'Se apelează poarta', 'Poarta sună', 'Poarta preia apelul'],
  words: ['Cerut', 'Se apelează', 'Sună', 'Preluat'],
  joined: 'Poarta este deja apelată; apăsarea dumneavoastră se alătură acelui apel.',
  queue: {
    next: 'Se apelează altă poartă; a dumneavoastră urmează, peste circa {seconds} s.',
    more: 'Se apelează alte porți; apeluri înaintea dumneavoastră: {count}, circa {seconds} s.',
    late: 'Se apelează alte porți, și poate dura prea mult. Atunci a dumneavoastră nu este apelată și puteți apăsa din nou.',
  },
  pin: 'Afișează prima pe acest dispozitiv',
  confirm: 'Se va mișca o poartă adevărată. Stați unde o vedeți.',
  back: 'Înapoi',
  again: 'Apăsați din nou',
  againIn: 'Apăsați din\u00a0nou peste {seconds} s',
  moved: 'Este deschisă sau se mișcă',
  stands: 'Stă pe loc: apăsați din nou',
  noted: 'Notat: este deschisă sau se mișcă',
  language: 'Limba',
  reference: 'Referință {id}',
  closed: '{time}, după {seconds} s · referință {id}',
  closedJoined: '{time}, printr-un apel deja în curs · referință {id}',
  endedOn: 'A expirat pe {date}',
  turn: 'Dacă poarta se mișcă, un al doilea apel îi poate inversa mișcarea.',
  lookFirst: [
    'Priviți mai întâi poarta',
    'Dacă stă pe loc, apăsați din nou.',
    'Dacă nici așa nu merge, sunați.',
  ],
  safe: 'Puteți apăsa din nou fără risc',
  agains: {
    now: 'Nu trebuie să așteptați.',
    tenSeconds: 'Linia poate fi liberă peste vreo 10 secunde.',
    moment: 'Poate merge peste puțin timp.',
    minute: 'Poate merge peste un minut.',
    another: 'Atunci va apela un alt dispozitiv.',
  },
  offline: {
    state: 'Fără conexiune',
    since: 'de la {time}',
    said: [
      'Nu s-a trimis nimic',
      'O apăsare nu se păstrează pentru mai târziu. Mergeți unde este semnal și apăsați din nou.',
    ],
    button: 'Încercați conexiunea',
  },
  lost: {
    state: 'Se verifică',
    since: 'cerut acum {seconds} s',
    said: [
      'Conexiunea s-a întrerupt',
      'Apăsarea nu se trimite din nou. Pagina întreabă ce s-a întâmplat cu ea.',
    ],
    button: 'Verificați din nou',
  },
  expired: 'Nu s-a deschis nimic: pagina era prea veche. Apăsați din nou.',
  late: 'Nu s-a deschis nimic: apăsarea a ajuns prea târziu. Apăsați din nou.',
  unsent: 'Nu s-a deschis nimic: apăsarea nu a ajuns. Apăsați din nou.',
  tooMany: 'Prea multe apăsări. Așteptați {seconds} s, apoi apăsați din nou.',
  unsure: [
    'Priviți poarta',
    'Serviciul a repornit și nu se știe dacă apăsarea a ajuns. Apăsați din nou doar dacă poarta stă pe loc.',
  ],
  noGates: [
    'Nicio poartă',
    'Momentan nu puteți deschide nicio poartă. Întrebați persoana care v-a dat acest link.',
  ],
  tooOften: ['Un moment', 'Pagina a fost încărcată prea des. Se încarcă din nou peste {seconds} s.'],
  deadLink: [
    'Acest link nu funcționează',
    'Poate a fost înlocuit sau copiat incomplet. Cereți unul nou persoanei care vi l-a trimis.',
  ],
  noPage: [
    'Aici nu este nimic',
    'Poate adresa este greșită sau incompletă. Ca să deschideți o poartă, folosiți linkul pe care l-ați primit.',
  ],
  toStart: 'Mergeți la pagina de început',
  notNow: ['Indisponibil acum', 'Nu s-a deschis nimic. Încercați din nou mai târziu.'],
  fault: [
    'Ceva nu a mers bine',
    'Priviți poarta. Dacă stă pe loc, mergeți înapoi și apăsați din nou peste un minut.',
  ],
  outcomes: {
    done: [
      'Poarta\u00a0a\u00a0preluat apelul',
      'Acum ar trebui să se deschidă. Dacă stă pe loc după 10 s, apăsați din nou.',
    ],
    probably: [
      'Poarta\u00a0a\u00a0fost apelată',
      'Probabil se deschide: la această poartă, apelul nu o arată cu siguranță. Dacă stă pe loc după 10 s, apăsați din nou.',
    ],
    unknown: [
      'Priviți poarta',
      'Apelul nu s-a încheiat ca de obicei. De aici nu se poate ști dacă poarta s-a deschis.',
    ],
    answered: [
      'Priviți poarta',
      'S-a răspuns la apel. De aici nu se poate ști dacă poarta s-a deschis. Dacă s-a deschis, anunțați persoana care v-a dat acest link.',
    ],
    noReaction: ['Poarta nu a reacționat', 'A sunat și nu a preluat apelul. Cel mai probabil nu s-a mișcat.'],
    unreached: ['Nu s-a putut ajunge la poartă', 'Apelul nu a ajuns la ea. Cel mai probabil nu s-a mișcat.'],
    busy: ['Linia porții este ocupată', 'Apelul nu a ajuns la poartă, deci aceasta nu s-a mișcat.'],
    notCalled: ['Poarta nu a fost apelată', 'Apăsarea nu a pornit niciun apel, deci poarta nu s-a mișcat.'],
    deviceFault: [
      'Poarta nu a fost apelată',
      'Dispozitivul ei are o defecțiune, deci nu s-a mișcat nimic. Anunțați persoana care v-a dat acest link.',
    ],
    otherGateway: [
      'Nu s-a putut ajunge la poartă',
      'Dispozitivul care a apelat are o defecțiune, deci poarta nu s-a mișcat.',
    ],
    noCredit: [
      'Nu s-a putut ajunge la poartă',
      'Cartela SIM a dispozitivului ei nu are credit, deci nu s-a mișcat nimic. Anunțați persoana care v-a dat acest link.',
    ],
    barred: [
      'Nu s-a putut ajunge la poartă',
      'Operatorul nu lasă cartela SIM a dispozitivului ei să apeleze, deci nu s-a mișcat nimic. Anunțați persoana care v-a dat acest link.',
    ],
    wrongNumber: [
      'Poarta nu poate fi apelată',
      'Ceva este în neregulă cu numărul ei. Anunțați persoana care v-a dat acest link.',
    ],
    outside: [
      'În afara orelor dumneavoastră',
      'Nu puteți deschide această poartă acum, deci nu a fost apelată.',
    ],
    ended: [
      'Accesul dumneavoastră a expirat',
      'Dacă aveți din nou nevoie de el, întrebați persoana care v-a dat acest link.',
    ],
    used: [
      'Nu mai aveți deschideri',
      'Ați deschis această poartă de câte ori era permis. Întrebați persoana care v-a dat acest link.',
    ],
    noAccess: [
      'Nu aveți acces',
      'Nu mai puteți deschide această poartă. Întrebați persoana care v-a dat acest link.',
    ],
    lockedDown: [
      'Toate porțile sunt blocate',
      'Un administrator le-a blocat deocamdată, așa că nu este apelată niciuna. Întrebați persoana care v-a dat acest link.',
    ],
    off: [
      'Această poartă este dezactivată',
      'Momentan nu este apelată. Întrebați persoana care v-a dat acest link.',
    ],
  },
}
