// The guest's page in Romanian.

import type { Texts } from './texts.ts'

export const ro: Texts = {
  name: 'Română',
  title: 'Deschideți o poartă',
  open: 'Deschide {gate}',
  noGates: 'Momentan nu puteți deschide nicio poartă. Întrebați persoana care v-a dat acest link.',
  next: 'Următoarea dată: {time}',
  calling: 'Se apelează poarta…',
  ringing: 'Poarta sună…',
  joined: 'Poarta este deja apelată…',
  back: 'Înapoi la porți',
  language: 'Limba',
  reference: 'Referință',
  contact: 'Dacă aveți nevoie de ajutor',
  again: 'Nu s-a deschis nimic: pagina era prea veche. Apăsați din nou.',
  tooMany: 'Prea multe apăsări. Așteptați {seconds} s, apoi apăsați din nou.',
  tooOften: 'Pagina a fost încărcată prea des. Așteptați {seconds} s, apoi încărcați-o din nou.',
  deadLink: 'Acest link nu funcționează. Cereți unul nou persoanei care vi l-a trimis.',
  notNow: 'Această pagină nu este disponibilă momentan. Nu s-a deschis nimic. Încercați din nou mai târziu.',
  fault: 'Ceva nu a mers bine. Priviți poarta; dacă nu se mișcă, încercați din nou peste un minut.',
  outcomes: {
    done: [
      'Poarta a fost apelată și ar trebui să se deschidă.',
      'Dacă nu se mișcă, așteptați 10 secunde și încercați din nou.',
    ],
    notCalled: [
      'Poarta nu a fost apelată: dispozitivul ei nu este pregătit.',
      'Încercați din nou peste un minut.',
    ],
    deviceFault: [
      'Poarta nu a fost apelată: dispozitivul ei are o defecțiune.',
      'Anunțați persoana care v-a dat acest link.',
    ],
    outside: [
      'Accesul dumneavoastră nu permite deschiderea la această oră.',
      'Dacă aveți nevoie de alt program, întrebați persoana care v-a dat acest link.',
    ],
    ended: [
      'Accesul dumneavoastră la această poartă a expirat.',
      'Dacă aveți din nou nevoie de el, întrebați persoana care v-a dat acest link.',
    ],
    used: [
      'Accesul dumneavoastră a fost folosit de câte ori era permis.',
      'Dacă aveți nevoie de mai mult, întrebați persoana care v-a dat acest link.',
    ],
    noAccess: ['Nu mai aveți acces la această poartă.', 'Întrebați persoana care v-a dat acest link.'],
    off: ['Această poartă este dezactivată.', 'Întrebați persoana care v-a dat acest link.'],
    wrongNumber: [
      'Această poartă nu poate fi apelată la numărul ei.',
      'Anunțați persoana care v-a dat acest link.',
    ],
    busy: ['Linia porții este ocupată.', 'Încercați din nou peste 10 secunde.'],
    noReaction: [
      'Poarta nu a reacționat la apel.',
      'Dacă nu se mișcă, încercați din nou peste 20 de secunde. Dacă tot nu reușiți, sunați persoana care v-a dat acest link.',
    ],
    unknown: [
      'Nu se știe dacă poarta s-a deschis.',
      'Priviți poarta. Dacă nu se mișcă, încercați din nou peste un minut.',
    ],
    answered: [
      'S-a răspuns la apel. Nu se știe dacă poarta s-a deschis.',
      'Priviți poarta. Dacă nu se mișcă, încercați din nou peste un minut. Dacă s-a deschis, spuneți persoanei care v-a dat acest link că profilul ei de apel trebuie să fie „answer_release”.',
    ],
  },
}
