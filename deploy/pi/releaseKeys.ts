// The file of the public keys that a package pins.

import { readFile } from 'node:fs/promises'
import { verifyingKey } from '../../packages/contract/src/wire/signature.ts'

/** The keys in the form of the package. A line that is no key is refused, because nobody would notice that it pins nothing. */
export async function readReleaseKeys(file: string): Promise<string> {
  const text = await readFile(file, 'utf8')
  const lines = text.split('\n').map(line => line.replace(/#.*/, '').trim())
  const keys = lines.filter(line => line !== '')
  const wrong = keys.find(key => !verifyingKey(key))
  if (wrong !== undefined || keys.length < 1 || keys.length > 2)
    throw new Error(`${file} must hold one or two public keys, one a line, as release:pi keygen prints them`)
  return `${keys.join('\n')}\n`
}
