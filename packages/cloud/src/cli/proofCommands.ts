// `callgate proof verify`: checks the proof of an opening, without any data and without the cloud.

import { checkProof } from '@callgate/contract/proof/proof'
import { readNamed } from '../backup/operatorFiles.ts'
import { type FileWork, refuse } from './commandWork.ts'

/** Far more than any proof has: an opening has a few reports. */
const mostBytes = 1024 * 1024

const verify: FileWork = async ({ files }, { cloudKey, file = '' }) => {
  const bytes = await readNamed(files, file)
  if (typeof bytes === 'string') return refuse(`The file ${file} ${bytes}.`)
  if (bytes.length > mostBytes) return refuse('The proof does not hold. This is no proof of an opening.')
  const text = bytes.toString('utf8')
  // Bytes that are not UTF-8 would be decoded to another text.
  const isText = Buffer.from(text, 'utf8').equals(bytes)
  const checked = checkProof(isText ? text : '', cloudKey)
  if (!checked.ok) return refuse(`The proof does not hold. ${checked.message}`)
  const { keyId, proof, says } = checked.value
  const advice =
    cloudKey === undefined
      ? [
          `Is ${keyId} your cloud? With --cloud-key and the public key that "callgate signing-key status" shows, this is checked too.`,
        ]
      : []
  return { ok: true, json: { holds: true, keyId, proof }, text: [...says, ...advice].join('\n') }
}

export const proofWork = { verify } satisfies Record<string, FileWork>
