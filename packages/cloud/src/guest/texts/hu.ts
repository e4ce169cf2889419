// The guest's page in Hungarian.

import type { Texts } from './texts.ts'

export const hu: Texts = {
  name: 'Magyar',
  title: 'Kapunyitás',
  open: '{gate} nyitása',
  noGates: 'Jelenleg nincs olyan kapu, amelyet kinyithat. Kérdezze meg azt, akitől ezt a linket kapta.',
  next: 'Legközelebb: {time}',
  calling: 'A kapu hívása folyamatban…',
  ringing: 'A kapu kicsöng…',
  joined: 'A kaput már hívják…',
  back: 'Vissza a kapukhoz',
  language: 'Nyelv',
  reference: 'Hivatkozás',
  contact: 'Ha segítségre van szüksége',
  again: 'Semmi sem nyílt ki: az oldal túl régi volt. Nyomja meg újra.',
  tooMany: 'Túl sok gombnyomás. Várjon {seconds} másodpercet, majd nyomja meg újra.',
  tooOften: 'Ezt az oldalt túl gyakran töltötték be. Várjon {seconds} másodpercet, majd töltse be újra.',
  deadLink: 'Ez a link nem működik. Kérjen újat attól, aki küldte.',
  notNow: 'Ez az oldal jelenleg nem érhető el. Semmi sem nyílt ki. Próbálja újra később.',
  fault: 'Valami hiba történt. Nézze meg a kaput; ha nem mozdul, próbálja újra egy perc múlva.',
  outcomes: {
    done: [
      'A kaput felhívtuk, most nyílnia kell.',
      'Ha nem mozdul, várjon 10 másodpercet, és próbálja újra.',
    ],
    notCalled: ['A kaput nem hívtuk fel: a készüléke nem áll készen.', 'Próbálja újra egy perc múlva.'],
    deviceFault: ['A kaput nem hívtuk fel: a készüléke hibás.', 'Szóljon annak, akitől ezt a linket kapta.'],
    outside: [
      'A hozzáférése ebben az időpontban nem engedi a nyitást.',
      'Ha más időpontra van szüksége, kérdezze meg azt, akitől ezt a linket kapta.',
    ],
    ended: [
      'A hozzáférése ehhez a kapuhoz lejárt.',
      'Ha újra szüksége van rá, kérdezze meg azt, akitől ezt a linket kapta.',
    ],
    used: [
      'A hozzáférését már annyiszor használta, ahányszor lehet.',
      'Ha többre van szüksége, kérdezze meg azt, akitől ezt a linket kapta.',
    ],
    noAccess: ['Ehhez a kapuhoz már nincs hozzáférése.', 'Kérdezze meg azt, akitől ezt a linket kapta.'],
    off: ['Ez a kapu ki van kapcsolva.', 'Kérdezze meg azt, akitől ezt a linket kapta.'],
    wrongNumber: ['Ez a kapu a számán nem hívható.', 'Szóljon annak, akitől ezt a linket kapta.'],
    busy: ['A kapu vonala foglalt.', 'Próbálja újra 10 másodperc múlva.'],
    noReaction: [
      'A kapu nem reagált a hívásra.',
      'Ha nem mozdul, próbálja újra 20 másodperc múlva. Ha akkor sem sikerül, hívja fel azt, akitől ezt a linket kapta.',
    ],
    unknown: [
      'Nem tudni, hogy a kapu kinyílt-e.',
      'Nézze meg a kaput. Ha nem mozdul, próbálja újra egy perc múlva.',
    ],
    answered: [
      'Valami fogadta a hívást. Nem tudni, hogy a kapu kinyílt-e.',
      'Nézze meg a kaput. Ha nem mozdul, próbálja újra egy perc múlva. Ha kinyílt, mondja meg annak, akitől ezt a linket kapta, hogy a hívásprofilja „answer_release” legyen.',
    ],
  },
}
