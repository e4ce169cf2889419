// What the operator's commands for backups do, and what they say.

import { backUp } from './backup/backup.ts'
import { loadKeyring } from './keyring.ts'
import { columns, type FileWork, refuse, type Work } from './operatorWork.ts'
import { verify } from './verify/verify.ts'

export const backupWork: FileWork = async (parts, { folder = '', keys, withoutKeys }) => {
  if ((keys === undefined) === (withoutKeys === undefined))
    return refuse('Give --keys and a second folder for the keys, or --without-keys: a restore needs them.')
  const made = await backUp(parts, { folder, keysFolder: keys })
  if (!made.ok) return made
  const { bytes, keysFolder, rows, takenAt } = made
  const count = (table: string) => rows[table] ?? 0
  const text = [
    `The data as of ${takenAt} is in ${made.folder}: ${bytes} bytes; ${count('spaces')} Spaces, ${count('gates')} gates, ${count('members')} members, ${count('openings')} openings.`,
    keysFolder === null
      ? 'The keys are not in it, and a restore needs them: they are in the data folder, or in another backup.'
      : `The keys are in ${keysFolder}. Keep them away from the data: whoever has both can read every link and speak to the gateways. A restore needs both.`,
  ].join('\n')
  return { ok: true, json: made, text }
}

export const verifyWork: Work = async ({ config, database, world }) => {
  const loaded = await loadKeyring(world, config.dataFolder)
  if (!loaded.ok) return refuse(loaded.message)
  const findings = await verify(database.knex, loaded.keyring.seal)
  if (findings.length === 0)
    return { ok: true, json: { findings }, text: 'All that can be checked is as it must be.' }
  const rows = findings.map(({ id, rule, what }) => [rule, id, what])
  return { ok: true, json: { findings }, text: columns(['RULE', 'ROW', 'WHAT IS WRONG'], rows), exitCode: 1 }
}
