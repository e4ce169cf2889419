// What integrators keep with a gate or a member: the id that it has in their own program, and metadata.

import Type, { type Static } from 'typebox'
import { characters, nullable, paragraph } from '../text.ts'

/** How many keys metadata has at most, and how long a key and a value are. */
export const metadataLimits = {
  keys: 20,
  key: { least: 1, most: 40 },
  value: { least: 0, most: 500 },
} as const

/** Only visible characters of ASCII: then nothing depends on blanks or on the form of a letter with an accent. */
export const ExternalId = Type.String({
  ...characters({ least: 1, most: 128 }),
  pattern: '^[!-~]*$',
  description:
    'What it is called in a program of yours: 1 to 128 visible characters of ASCII without blanks; of active ones, only one has it',
  examples: ['crm-4711'],
})

const { key, keys, value } = metadataLimits

export type Metadata = Readonly<Record<string, string>>
export const Metadata = Type.Unsafe<Metadata>({
  type: 'object',
  additionalProperties: paragraph(value, `At most ${value.most} characters`),
  propertyNames: {
    type: 'string',
    ...characters(key),
    pattern: '^[A-Za-z0-9][A-Za-z0-9_.:-]*$',
    description: `a key has ${key.least} to ${key.most} letters, digits and _.:- and begins with a letter or digit`,
  },
  maxProperties: keys,
  description: `Texts of your own: at most ${keys} keys of ${key.most} letters, digits and \`_.:-\`, and values of ${value.most} characters. The service does not read them`,
  examples: [{ unit: '12B' }],
})

/** The members of an answer. They are there only where they were set. */
export const externalShown = {
  externalId: Type.Optional(ExternalId),
  metadata: Type.Optional(Metadata),
}

/** The fields of a request. Null and `{}` clear them. */
export const externalGiven = {
  externalId: Type.Optional(nullable(ExternalId)),
  metadata: Type.Optional(nullable(Metadata)),
}

const Given = Type.Object(externalGiven)
export type ExternalGiven = Static<typeof Given>

/** What the documentation says of both. */
export const externalText =
  'A second active one with the same `externalId` is 409 `conflict`, and `existingId` names the first. `metadata` is replaced whole; null and `{}` clear it. Both are in answers only where they were set.'
