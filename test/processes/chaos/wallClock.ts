// A wall clock that can be moved under a running process, where libfaketime is installed.

import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface WallClock {
  /** The environment with which a process uses this clock. */
  readonly environment: Readonly<Record<string, string>>
  /** Makes it jump to this many days from the true time; negative is back. */
  setDays(days: number): void
}

const libraryName = 'libfaketime.so.1'

function folders(): string[] {
  const machines = existsSync('/usr/lib')
    ? readdirSync('/usr/lib').filter(name => name.includes('-linux-'))
    : []
  return [...machines.map(name => join('/usr/lib', name)), '/usr/lib64', '/usr/lib', '/usr/local/lib']
}

/** The path of libfaketime; undefined where it is not installed. */
export function fakeTimeLibrary(): string | undefined {
  return folders()
    .map(folder => join(folder, 'faketime', libraryName))
    .find(path => existsSync(path))
}

/** A clock that `file` moves, at first with the true time; undefined where libfaketime is missing. */
export function wallClock(file: string): WallClock | undefined {
  const library = fakeTimeLibrary()
  if (library === undefined) return undefined
  const setDays = (days: number) => {
    // In one step: a process may read it at any moment.
    writeFileSync(`${file}.next`, `${days < 0 ? '' : '+'}${days}d\n`)
    renameSync(`${file}.next`, file)
  }
  setDays(0)
  return {
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      // Otherwise it would read the file only every ten seconds.
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    setDays,
  }
}
