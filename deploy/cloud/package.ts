// `pnpm package:cloud`: makes the Debian packages of the cloud.

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { commandLine } from '../pi/commandLine.ts'
import { secondsOf } from '../pi/gatewayPackage.ts'
import { cloudArchitectures } from './cloudPackage.ts'
import { makeCloudPackages } from './cloudPackages.ts'

const usage = `Usage: package:cloud [ARCHITECTURE...] [--to FOLDER] [--check]

Makes the Debian packages of the cloud: ${cloudArchitectures.join(', ')}, or those that are named.

  --to FOLDER            where to; else deploy/cloud/dist
  --check                makes each twice, and compares the bytes
`

const { positionals, values } = commandLine({ to: { type: 'string' }, check: { type: 'boolean' } }, usage)
const unknown = positionals.find(name => !cloudArchitectures.some(one => one === name))
const fail = (message: string) => {
  process.stderr.write(`${message}.\n`)
  process.exitCode = 1
}

if (unknown !== undefined) fail(`There is no package for ${unknown}: ${cloudArchitectures.join(', ')}`)
else
  try {
    const paths = await makeCloudPackages({
      folder: values.to ?? join(import.meta.dirname, 'dist'),
      architectures: cloudArchitectures.filter(
        name => positionals.length === 0 || positionals.includes(name),
      ),
      seconds: secondsOf(process.env),
      isChecked: values.check === true,
    })
    for (const path of paths)
      process.stdout.write(`${path}: ${((await stat(path)).size / 1_048_576).toFixed(1)} MiB\n`)
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error))
  }
