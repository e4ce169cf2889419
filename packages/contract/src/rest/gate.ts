// Gates: what opens when its number is called.

import Type, { type Static } from 'typebox'
import { GateId } from '../ids.ts'
import { closed, instant, line, mailedName, nullable, paragraph } from '../text.ts'

const name = line(1, 120, 'At most 120 characters')
const givenName = mailedName(1, 120, 'At most 120 characters, without :// and www., since mails print it')
const location = line(0, 200, 'At most 200 characters')
const description = nullable(paragraph(500, 'At most 500 characters'))
const phoneNumber = Type.String({
  minLength: 1,
  maxLength: 64,
  description:
    "The number of the gate's GSM module: +…, 00… or national (in the Space's country); 8 to 15 digits; answered as E.164",
  examples: ['+40722123456'],
})

export const Gate = closed({
  id: GateId,
  name,
  phoneNumber: Type.String({
    pattern: '^\\+[1-9][0-9]{7,14}$',
    description: 'E.164',
  }),
  location,
  description,
  isActive: Type.Boolean({ description: 'An inactive gate is never called' }),
  openCount: Type.Integer({
    minimum: 0,
    description: 'Number of completed openings',
  }),
  lastOpenedAt: nullable(instant('Time of the last completed opening; null before the first')),
  createdAt: instant('When the gate was created'),
})
export type Gate = Static<typeof Gate>

export const GateCreate = closed({
  name: givenName,
  phoneNumber,
  location: Type.Optional(nullable(location)),
  description: Type.Optional(description),
})
export type GateCreate = Static<typeof GateCreate>

export const GateUpdate = closed({
  name: Type.Optional(givenName),
  phoneNumber: Type.Optional(phoneNumber),
  location: Type.Optional(location),
  description: Type.Optional(description),
  isActive: Type.Optional(
    Type.Boolean({ description: "True brings an inactive gate back, within the plan's limit" }),
  ),
})
export type GateUpdate = Static<typeof GateUpdate>
