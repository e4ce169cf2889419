import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeWorld } from '@callgate/world/fake'
import { expect, it, onTestFinished } from 'vitest'
import { noPort } from './device.kit.ts'
import { enrolCommand } from './enrolCommand.ts'
import { lockEnrolment } from './enrolmentFile.ts'

it('does not enrol beside another enrol with the same files, and does when that has ended', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-enrol-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const options = { config: join(folder, 'gateway.yaml'), serialPort: '/dev/serial0', dataFolder: folder }
  const enrol = () => enrolCommand({ world: fakeWorld(), openPlace: noPort, print() {} }, undefined, options)
  const other = await lockEnrolment(folder)
  expect(await enrol()).toEqual({ ok: false, text: expect.stringContaining('Another enrolment goes on') })
  if (other.ok) other.release()
  for (let turn = 0; turn < 2; turn++)
    expect(await enrol()).toEqual({ ok: false, text: expect.stringContaining('Say where the cloud is') })
})
