// `callgate share`: the file with which another machine joins this cloud.

import { open, rm } from 'node:fs/promises'
import { codeOf } from '../backup/operatorFiles.ts'
import { writeJoinFile } from '../installation/joinFile.ts'
import { sharedCloud } from '../installation/sharedSettings.ts'
import { readableSecret } from '../secrets/readableSecret.ts'
import { type CommandParts, type Options, refuse, type Said } from './commandWork.ts'
import type { Terminal } from './terminal.ts'

type ShareParts = Omit<CommandParts, 'database'> & Pick<Terminal, 'environment'>

export const shareWork = {
  async share({ config, environment, files, world }: ShareParts, { file = '' }: Options): Promise<Said> {
    const gathered = await sharedCloud(config, environment)
    if (!gathered.ok) return refuse(gathered.message)
    const passphrase = readableSecret(world)
    const text = await writeJoinFile(world, gathered.shared, passphrase)
    const fault = await files.at(file, async as => {
      try {
        const handle = await open(file, 'wx', 0o600)
        try {
          await handle.writeFile(text)
        } catch (error) {
          await rm(file, { force: true })
          throw error
        } finally {
          await handle.close()
        }
        return undefined
      } catch (error) {
        return codeOf(error) === 'EEXIST'
          ? `${file} is there already, and is kept.`
          : `${file} cannot be written${as} (${codeOf(error)}).`
      }
    })
    if (fault !== undefined) return refuse(fault)
    const said = [
      `${file} holds the settings and the keys of this cloud, sealed. Bring it to the other machine, type there`,
      `\n  callgate setup --join ${file}\n`,
      'and enter this passphrase, which is shown this once. Carry it another way than the file, and delete the file afterwards.',
      `\n  ${passphrase}\n`,
    ]
    return { ok: true, json: { file, passphrase }, text: said.join('\n') }
  },
}
