// The steps of deploy/cloud/README.md with Docker, run as they are written, each block in an otherwise empty folder.

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { blocksOf } from '../../documents/blocks.ts'

const top = fileURLToPath(new URL('../../..', import.meta.url))
const page = readFileSync(join(top, 'deploy/cloud/README.md'), 'utf8')

/** The shell commands of a part of the page, block by block. */
function commandsBelow(heading: string): readonly string[] {
  const [, part = ''] = page.split(`\n${heading}\n`)
  const [own = ''] = part.split(/\n#{2,4} /)
  return blocksOf(own).flatMap(({ language, text }) => (language === 'sh' ? [text] : []))
}

/** Stand-ins for the network and for the users of another machine. */
const stubs = {
  chown: ':',
  openssl: 'echo 0123456789abcdef',
  // The image is the bundle; /secrets in the container is the folder of that name here.
  docker: `case $1 in run) while [ "$1" != callgate ]; do shift; done; shift
"$NODE" "$TOP/packages/cloud/dist/callgate.mjs" "$@" > /dev/null ;; esac`,
}

/** A machine with nothing but an empty folder of root. */
function cleanMachine() {
  const root = mkdtempSync(join(tmpdir(), 'callgate-steps-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const bin = join(root, 'stubs')
  for (const name of ['stubs', 'root']) mkdirSync(join(root, name), { recursive: true })
  for (const [name, text] of Object.entries(stubs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  return {
    root,
    /** Runs a block. */
    run(block: string) {
      const { status, stderr } = spawnSync('sh', ['-euc', block], {
        cwd: join(root, 'root'),
        env: { PATH: `${bin}:${process.env['PATH']}`, NODE: process.execPath, TOP: top },
        encoding: 'utf8',
      })
      expect(stderr, block).toBe('')
      expect(status, block).toBe(0)
    },
  }
}

it('makes every file that the parts of several clouds read', () => {
  const { root, run } = cleanMachine()
  const blocks = commandsBelow('### With Docker')
  run(blocks[0] ?? '')
  for (const name of ['authority.crt', 'broker.crt', 'broker.key'])
    writeFileSync(join(root, 'root/secrets/broker', name), name)
  run((blocks[1] ?? '').replace('--to /secrets', `--to ${join(root, 'root')}/secrets`))
  const compose = readFileSync(join(top, 'deploy/cloud/compose.yaml'), 'utf8')
  const named = [...compose.matchAll(/\.\/(secrets\/[\w./-]+)/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(4)
  for (const path of named) {
    expect([path, existsSync(join(root, 'root', path))]).toEqual([path, true])
    expect([path, statSync(join(root, 'root', path)).size > 0]).toEqual([path, true])
  }
  expect(readFileSync(join(root, 'root/secrets/mqtt-url'), 'utf8')).toMatch(
    /^mqtts:\/\/callgate:[^@]+@broker\.example\.com\n$/,
  )
})
