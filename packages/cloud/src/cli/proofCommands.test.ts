import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sealProof } from '@callgate/contract/proof/proof'
import { exampleOpening } from '@callgate/contract/rest/opening'
import { signingKey } from '@callgate/contract/wire/signature'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { operatorFiles } from '../backup/operatorFiles.ts'
import { proofWork } from './proofCommands.ts'

const cloud = signingKey(new Uint8Array(32).fill(1))
let folder: string
let file: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callgate-proof-'))
  file = join(folder, 'proof.json')
  const proof = {
    issuedAt: exampleOpening.calledAt,
    spaceName: 'Casa',
    opening: exampleOpening,
    reason: 'gate_inactive',
    opened: 'no',
    confidence: 'certain',
    joinedOpeningId: null,
    gateways: [],
    grant: null,
    reports: [],
  }
  await writeFile(file, sealProof(cloud, proof))
})
afterAll(() => rm(folder, { recursive: true }))

const verify = (options: Record<string, string>) =>
  proofWork.verify({ files: operatorFiles(undefined) } as never, options)

it('says what a proof shows, and how to identify the cloud', async () => {
  expect(await verify({ file })).toMatchObject({
    ok: true,
    json: { holds: true, keyId: cloud.keyId },
    text: expect.stringMatching(/^The proof holds\.[\s\S]*nothing was dialled[\s\S]*--cloud-key/),
  })
  const known = await verify({ file, cloudKey: cloud.publicKey })
  expect(known.ok && known.text).not.toContain('--cloud-key')
})

it('says why a proof is not valid', async () => {
  expect(await verify({ file, cloudKey: 'A'.repeat(43) })).toMatchObject({
    message: expect.stringContaining('Another cloud'),
  })
  const text = join(folder, 'text.json')
  await writeFile(text, 'Dear neighbour')
  expect(await verify({ file: text })).toMatchObject({ message: expect.stringContaining('no proof') })
  const bytes = join(folder, 'bytes.json')
  await writeFile(bytes, Buffer.from([0xff, 0xfe]))
  expect(await verify({ file: bytes })).toMatchObject({ ok: false })
  await writeFile(bytes, ' '.repeat(1024 * 1024 + 1))
  expect(await verify({ file: bytes })).toMatchObject({ ok: false })
  expect(await verify({ file: join(folder, 'none') })).toMatchObject({
    message: expect.stringContaining('cannot be read'),
  })
})
