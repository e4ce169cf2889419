// Romanian: the field of a day and its calendar.

import type { days as english } from '../en/days.ts'

export const days: typeof english = {
  noLimit: 'fără limită',
  choose: field => `${field}: alege o zi`,
  chosen: (field, day) => `${field}: schimbă ${day}`,
  time: 'Ora',
  timeOf: field => `${field}: ora`,
  previousMonth: 'Luna anterioară',
  nextMonth: 'Luna următoare',
  previousYear: 'Anul anterior',
  nextYear: 'Anul următor',
  unread: (text, example) => `„${text}” nu este o dată. Scrie una, de exemplu ${example}.`,
  tooEarly: (text, first) => `${text} este prea devreme. Prima zi posibilă este ${first}.`,
  tooLate: (text, last) => `${text} este prea târziu. Ultima zi posibilă este ${last}.`,
  noTime: text => `„${text}” nu este o oră. Scrie una, de exemplu 07:30.`,
}
