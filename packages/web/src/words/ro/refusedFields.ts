// Romanian: the fields that a refusal names.

import type { RefusedField } from '../fieldNames.ts'
import { fields } from './activity.ts'

/** The fields of the forms by their names on the pages. */
export const labels: Readonly<Record<RefusedField, string>> = {
  ...fields,
  callerNumber: 'Numărul cartelei SIM',
  password: 'Parolă',
  currentPassword: 'Parola de acum',
  code: 'Cod',
  contactName: 'Cine ajută',
  contactPhone: 'Telefonul celui care ajută',
  timezone: 'Fus orar',
  maxUsage: 'Cel mult atâtea folosiri',
  accesses: 'Accesele',
  access: 'Accesul',
  memberIds: 'Membrii',
  act: 'Schimbarea',
  schedules: 'Programe',
  timeWindows: 'Orele',
  hours: 'Orele',
  from: 'De la',
  to: 'Până la',
  daysOfWeek: 'Zilele',
  startsAt: 'Începutul',
  expiresAt: 'Sfârșitul',
  warnBelow: 'Avertizează sub',
  expiresOn: 'Ultima zi a cartelei',
  scopes: 'Ce poate cheia',
  publicKey: 'Cheia publică',
  version: 'Versiunea',
  brand: 'Marca modulului',
  place: 'Locul din listă',
  afterS: 'După câte secunde',
  url: 'Adresa',
  after: 'După numărul',
  overlapHours: 'Cât mai este valabil secretul dinainte',
  file: 'Fișierul',
  at: 'Momentul',
  isFrozen: 'Stă pe loc',
  items: 'Membrii',
}
