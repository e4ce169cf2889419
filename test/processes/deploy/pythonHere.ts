// Which Python of this machine the tests of the Python client can use.

import { execFile } from 'node:child_process'

/** Ends with 0 where the client runs. */
export const usablePython = 'import sys; sys.exit(sys.version_info < (3, 9))'

export const noPython = 'there is no Python 3.9 or newer'

const runs = (python: string, line: string) =>
  new Promise<boolean>(resolve => execFile(python, ['-c', line], error => resolve(error === null)))

/** The first Python that runs the line; undefined where none does. */
export async function pythonThat(line: string): Promise<string | undefined> {
  for (const python of ['python3', '/usr/bin/python3']) if (await runs(python, line)) return python
  return undefined
}
