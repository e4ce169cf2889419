// Every column with sealed texts, and the context of each text.

import { passwordPlace } from '../gateway/gateways.ts'
import { answerPlace } from '../http/keptAnswers.ts'
import { linkHashOf, linkPlace } from '../member/memberLinks.ts'
import { pushDevicePlace } from '../push/pushDevices.ts'
import { pushKeysPlace } from '../push/pushKeys.ts'
import { mailedLinkPlace, tokenHashOf } from '../user/mailedLinks.ts'
import { totpPlace } from '../user/totp.ts'
import { webhookSecretPlace } from '../webhook/webhookRows.ts'

export type SealedRow = Readonly<Record<string, unknown>>

export interface SealedColumn {
  readonly table: string
  /** Contains the sealed text, or null. */
  readonly column: string
  /** The columns of the primary key, all of them texts. */
  readonly key: readonly string[]
  /** The columns that `placeOf` and `isWhole` need besides the key. */
  readonly others: readonly string[]
  /** The context with which the text of a row was sealed. */
  placeOf(row: SealedRow): string
  /** Whether the opened text is the one by which its row is found. */
  isWhole(text: string, row: SealedRow): boolean
  /** The name of the row in a finding. */
  idOf(row: SealedRow): string
  /** What is sealed, in words. */
  readonly what: string
}

const textIn = (row: SealedRow, name: string) => String(row[name])
const byId = {
  key: ['id'],
  others: [] as readonly string[],
  idOf: (row: SealedRow) => textIn(row, 'id'),
  isWhole: () => true,
}
const byToken = {
  ...byId,
  column: 'tokenSealed',
  others: ['tokenHash'],
  placeOf: (row: SealedRow) => mailedLinkPlace(textIn(row, 'id')),
  isWhole: (token: string, row: SealedRow) => tokenHashOf(token) === row['tokenHash'],
}

const ofWebhook = {
  ...byId,
  table: 'webhooks',
  placeOf: (row: SealedRow) => webhookSecretPlace(textIn(row, 'id')),
}

export const sealedColumns: readonly SealedColumn[] = [
  {
    ...byId,
    table: 'members',
    column: 'linkSealed',
    others: ['spaceId', 'linkHash'],
    placeOf: row => linkPlace({ spaceId: textIn(row, 'spaceId'), id: textIn(row, 'id') }),
    isWhole: (token, row) => linkHashOf(token) === row['linkHash'],
    what: 'its link',
  },
  {
    ...byId,
    table: 'users',
    column: 'totpSealed',
    placeOf: row => totpPlace(textIn(row, 'id')),
    what: 'the secret of its authenticator app',
  },
  {
    table: 'keptAnswers',
    column: 'sealedAnswer',
    key: ['askerId', 'requestHash'],
    others: [],
    placeOf: row => answerPlace({ askerId: textIn(row, 'askerId'), requestHash: textIn(row, 'requestHash') }),
    isWhole: () => true,
    idOf: row => textIn(row, 'askerId'),
    what: 'a kept answer',
  },
  {
    ...byId,
    table: 'gateways',
    column: 'passwordSealed',
    placeOf: row => passwordPlace(textIn(row, 'id')),
    what: 'its password at the broker',
  },
  { ...ofWebhook, column: 'secretSealed', what: 'its secret' },
  { ...ofWebhook, column: 'previousSealed', what: 'its secret before the rotation' },
  {
    ...byId,
    table: 'pushDevices',
    column: 'subscriptionSealed',
    placeOf: row => pushDevicePlace(textIn(row, 'id')),
    what: 'the address to which its pushes go',
  },
  {
    ...byId,
    table: 'pushKeys',
    column: 'privateSealed',
    placeOf: () => pushKeysPlace,
    what: 'the key that signs pushes',
  },
  { ...byToken, table: 'userInvitations', what: 'the link of the invitation' },
  { ...byToken, table: 'passwordResets', what: 'the link of the password reset' },
]
