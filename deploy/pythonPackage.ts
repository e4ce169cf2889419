// Makes the folder of the Python client: its package with the types and methods from the OpenAPI document, a wheel and an sdist.

import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pythonMethods } from './pythonMethods.ts'
import { pythonTypes } from './pythonTypes.ts'
import { pythonVersion } from './version.ts'

const run = promisify(execFile)

/**
 * Writes the package into `folder`, replacing its content, and returns the text about it for a person. The wheel and the sdist
 * need a Python 3.9 or newer; without one the folder has the package alone.
 */
export async function makePython(top: string, folder: string): Promise<string> {
  const source = join(top, 'deploy/python')
  const fresh = `${folder}.${process.pid}`
  try {
    await mkdir(fresh, { recursive: true })
    await cp(join(source, 'callgate'), join(fresh, 'callgate'), {
      recursive: true,
      filter: path => !path.endsWith('__pycache__'),
    })
    await cp(join(source, 'README.md'), join(fresh, 'README.md'))
    const project = await readFile(join(source, 'pyproject.toml'), 'utf8')
    await writeFile(
      join(fresh, 'pyproject.toml'),
      project.replace('version = "0.0.0"', `version = "${pythonVersion}"`),
    )
    await writeFile(join(fresh, 'callgate/_types.py'), pythonTypes())
    await writeFile(join(fresh, 'callgate/_methods.py'), pythonMethods())
    const built = await run('python3', [join(source, 'build.py'), fresh]).then(
      ({ stdout }) => stdout.trim(),
      (error: Error & { code?: unknown }) => {
        if (error.code === 'ENOENT' || error.code === 3)
          return 'no wheel, because there is no Python 3.9 or newer'
        throw error
      },
    )
    await rm(folder, { recursive: true, force: true })
    await rename(fresh, folder)
    return `${join(folder, 'callgate')}: ${built}\n`
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}
