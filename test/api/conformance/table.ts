// The table from each sentence of the specification, and each decision, to the test that shows it.

import { decisions } from './decisions.ts'
import { decided, specified } from './documents.ts'
import { specification } from './specification.ts'

/** Every row. Its test is named after it, and runs over HTTP in this folder unless `elsewhere` names another. */
export type RowId = keyof typeof specification | keyof typeof decisions

const quoted = (beginning: string) =>
  specified.filter(({ place, text }) => `${place}: ${text}`.startsWith(beginning))

/** The sentences and cells that each row quotes, whole. Each of them belongs to one row. */
export const rows = new Map<RowId, readonly string[]>([
  ...Object.entries(specification).map(([id, beginnings]) => {
    const texts = [beginnings].flat().flatMap(quoted)
    return [id as RowId, texts.map(({ text }) => text)] as const
  }),
  ...Object.keys(decisions).map(gap => [gap as RowId, [decided.get(gap) ?? []].flat()] as const),
])
export const rowIds = [...rows.keys()]

/** A test of another part: its file from the top of the repository, and its name as it stands there. */
export interface OtherTest {
  readonly file: string
  readonly test: string
}

const schedules = 'packages/cloud/src/core/schedule'

/** Rows that cannot be shown over HTTP, or only in part, and the tests that show them. They may have a test here as well. */
export const elsewhere: Partial<Record<RowId, readonly OtherTest[]>> = {
  'A call that the network refuses': [
    {
      file: 'test/simulation/house/failOver.test.ts',
      test: 'where a call of the first failed for lack of credit, the other one serves the next press',
    },
    {
      file: 'test/simulation/house/failOver.test.ts',
      test: 'where the operator bars the calls of the first, the other one serves the next press',
    },
    {
      file: 'packages/modem/src/core/callVerdict.test.ts',
      test: 'reports a SIM error only for refusals that mean the SIM card',
    },
  ],
  '1 gate': [
    {
      file: 'packages/modem/src/modem.test.ts',
      test: 'is completed as likely, with masked evidence, where the gate rejects',
    },
    { file: 'test/processes/endToEnd/start.test.ts', test: 'opens the gate that is %s once' },
  ],
  '1 keys': [
    {
      file: 'packages/cloud/src/settings/settings.test.ts',
      test: 'is made with its secret once, and is listed without it',
    },
    {
      file: 'packages/cloud/src/cli/program.test.ts',
      test: 'sets up a Space from nothing, and takes it down again',
    },
    {
      file: 'packages/cloud/src/guest/pages.test.ts',
      test: 'that opens nothing shows whom to call, and one that opens does not',
    },
  ],
  '2 Schedule.startsAt': [{ file: `${schedules}/vectors.test.ts`, test: '$rule' }],
  '2 Schedule.expiresAt': [{ file: `${schedules}/vectors.test.ts`, test: '$rule' }],
  '4 every endpoint': [
    {
      file: 'test/api/matrix.test.ts',
      test: 'answers every credential and every kind of id as the permission table says',
    },
    {
      file: 'test/api/matrix.test.ts',
      test: 'answers a foreign id byte by byte like a missing one',
    },
  ],
  '4 create email': [
    {
      file: 'packages/cloud/src/mail/mailer.test.ts',
      test: 'sends the facts of the moment of sending, in the language of the member, once',
    },
  ],
  '5.2': [
    {
      file: 'packages/cloud/src/settings/settings.test.ts',
      test: 'is made with its secret once, and is listed without it',
    },
    {
      file: 'packages/cloud/src/space/apiKeys.test.ts',
      test: 'is svc_live_, 30 characters and their checksum',
    },
  ],
  '5.3': [
    {
      file: 'packages/cloud/src/space/apiKeys.test.ts',
      test: 'identifies its principal, and is stored as a hash only',
    },
  ],
  '5.5': [{ file: 'packages/cloud/src/http/mount.test.ts', test: 'is noted as used after the answer' }],
  '7 5xx': [
    {
      file: 'packages/client/src/client.test.ts',
      test: 'follows a lost answer, a fault and a 503 of a GET, with growing pauses',
    },
  ],
  'Key format': [
    { file: 'packages/cloud/src/space/apiKeys.test.ts', test: 'fails with any one character changed' },
  ],
  '`usageCount`': [
    {
      file: 'packages/cloud/src/member/accessUsage.test.ts',
      test: 'is never reserved beyond the cap, even when 200 are reserved at once',
    },
  ],
  'Retrying a 502': [
    {
      file: 'packages/cloud/src/opening/openings.test.ts',
      test: 'calls once: a twin waits for the answer to the first request, and one after the end gets the same answer',
    },
  ],
  'Plan limits': [
    {
      file: 'packages/cloud/src/cli/planCommands.test.ts',
      test: 'gives a Space limits of its own and takes them back, and records what changed',
    },
  ],
  '`phoneNumber`': [
    {
      file: 'packages/cloud/src/settings/settings.test.ts',
      test: 'is changed, with one activity entry that names the changes',
    },
    {
      file: 'packages/cloud/src/gate/phoneNumber.test.ts',
      test: 'makes E.164 or a message of any text, and returns E.164 unchanged',
    },
  ],
  'Mail failure': [
    {
      file: 'packages/cloud/src/member/memberViews.test.ts',
      test: 'shows the status of each access, the link, and the mail that could not be sent',
    },
    {
      file: 'packages/cloud/src/mail/mailer.test.ts',
      test: 'retries after a failure until the mail is sent, and never after that',
    },
  ],
  'DST gap': [{ file: `${schedules}/vectors.test.ts`, test: '$rule' }],
  'DST repeat': [{ file: `${schedules}/vectors.test.ts`, test: '$rule' }],
  'Overnight window': [{ file: `${schedules}/vectors.test.ts`, test: '$rule' }],
  'Window bounds': [{ file: `${schedules}/vectors.test.ts`, test: '$rule' }],
  'Order of the checks': [
    {
      file: 'packages/cloud/src/http/mount.test.ts',
      test: 'is path, method, key, plan, scope, media type, size, content',
    },
    {
      file: 'packages/cloud/src/http/rateLimit.test.ts',
      test: 'answers bad keys slower and slower, never otherwise, and good ones at once',
    },
  ],
  'Rate classes': [
    {
      file: 'packages/cloud/src/core/limiter.test.ts',
      test: 'never lets more than the limit into any window, and says truly when the next is taken',
    },
  ],
  '`Idempotency-Key`': [
    {
      file: 'packages/cloud/src/http/idempotency.test.ts',
      test: 'wait for the first, and give up when their own wait is over',
    },
    {
      file: 'packages/cloud/src/http/idempotency.test.ts',
      test: 'is kept sealed, so that the database tells nothing',
    },
  ],
  OpenAPI: [
    {
      file: 'packages/contract/src/openapi/openapi.test.ts',
      test: 'is documented with its scope, rate, examples and every answer',
    },
  ],
  'Space defaults': [
    {
      file: 'packages/cloud/src/cli/program.test.ts',
      test: 'sets up a Space from nothing, and takes it down again',
    },
  ],
  '1 record': [
    {
      file: 'packages/cloud/src/opening/userPresses.test.ts',
      test: 'opens as an owner with the name and e-mail of the moment of the press, without schedule, cap or use',
    },
  ],
  '1 caller numbers': [
    {
      file: 'packages/web/src/gates/gatesPages.test.tsx',
      test: 'adds a gate, and moves the focus to a mistake',
    },
  ],
  '2 Opening.openedBy': [
    {
      file: 'packages/cloud/src/opening/userPresses.test.ts',
      test: 'opens as an owner with the name and e-mail of the moment of the press, without schedule, cap or use',
    },
  ],
  '4 openings order': [
    {
      file: 'packages/cloud/src/history/history.test.ts',
      test: 'is read page by page, newest first, through every filter',
    },
  ],
  'Activity order': [
    {
      file: 'test/api/accounts.test.ts',
      test: 'have at least one owner, and lose all rights within a request',
    },
  ],
  'Do schedules apply to keys and users': [
    {
      file: 'packages/cloud/src/opening/userPresses.test.ts',
      test: 'opens as an owner with the name and e-mail of the moment of the press, without schedule, cap or use',
    },
  ],
  '`openedBy`': [
    {
      file: 'packages/cloud/src/opening/userPresses.test.ts',
      test: 'opens as an owner with the name and e-mail of the moment of the press, without schedule, cap or use',
    },
  ],
  'Member `email`': [
    {
      file: 'packages/cloud/src/member/memberViews.test.ts',
      test: 'shows the status of each access, the link, and the mail that could not be sent',
    },
  ],
}
