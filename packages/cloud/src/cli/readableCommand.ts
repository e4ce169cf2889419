// `callgate readable-by`: whether an older program can work with the data, which the package asks before it goes back to it.

import { isReadableBy } from '../database/migrations/schemaState.ts'
import { openFor } from '../doctor/readData.ts'
import type { FileWork } from './commandWork.ts'

const exitTooOld = 3

const readableBy: FileWork = async ({ config }, { migration = '' }) => {
  const database = await openFor(config)
  try {
    const isReadable = await isReadableBy(database.knex, migration)
    return isReadable
      ? { ok: true, json: { isReadable }, text: `A program of ${migration} can work with this data.` }
      : {
          ok: true,
          json: { isReadable },
          text: `A program of ${migration} is too old for this data.`,
          exitCode: exitTooOld,
        }
  } finally {
    await database.close()
  }
}

export const readableWork = { readableBy } satisfies Record<string, FileWork>
