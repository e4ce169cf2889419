// The folder in which `callgate setup` tries files before it writes them. It can hold keys, so it does not stay.

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export interface StagingFolder {
  readonly path: string
  remove(): void
}

const prefix = '.setup-'

/**
 * Makes the folder in the data folder, and removes those of killed processes. `atExit` takes what is to be done when the process
 * ends, and returns what forgets it.
 */
export function makeStaging(dataFolder: string, atExit: (work: () => void) => () => void): StagingFolder {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  const removeAt = (path: string) => rmSync(path, { recursive: true, force: true })
  for (const name of readdirSync(dataFolder)) if (name.startsWith(prefix)) removeAt(join(dataFolder, name))
  const path = mkdtempSync(join(dataFolder, prefix))
  const forget = atExit(() => removeAt(path))
  return {
    path,
    remove() {
      forget()
      removeAt(path)
    },
  }
}
