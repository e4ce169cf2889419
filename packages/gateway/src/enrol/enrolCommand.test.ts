import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newEnrolmentCode } from '@callgate/contract/enrolment/enrolmentCode'
import { selfSigned } from '@callgate/mqtt/certificate.kit'
import { fakeWorld } from '@callgate/world/fake'
import { expect, it, onTestFinished } from 'vitest'
import { noPort } from './device.kit.ts'
import { enrolCommand } from './enrolCommand.ts'
import { lockEnrolment } from './enrolmentFile.ts'

const otherAuthority = `-----BEGIN CERTIFICATE-----
MIIBdTCCARugAwIBAgIUCeVlezwlWGwoaLNcZWaEiuX7SsAwCgYIKoZIzj0EAwIw
EDEOMAwGA1UEAwwFT3RoZXIwHhcNMjYxMTIzMTExOTA3WhcNMjYxMjIzMTExOTA3
WjAQMQ4wDAYDVQQDDAVPdGhlcjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABL1W
YUECbjpQkJYE9+6bhVWq/TQJrjM34ZFHjbA2Zk4Cml6wGJe5sR9rZO5DJ9dZ91YQ
IEDmToDgmViHmabEqlujUzBRMB0GA1UdDgQWBBTedPQfaMM1CFDaI3YEHPywMOZ1
wjAfBgNVHSMEGDAWgBTedPQfaMM1CFDaI3YEHPywMOZ1wjAPBgNVHRMBAf8EBTAD
AQH/MAoGCCqGSM49BAMCA0gAMEUCIQCPS8TFa2mGqE9kzoTh6qR36bCY0QaDDHAG
3XMVAZLmwwIgFG6ztIIPyr+ZY3wtSuTTberf1jXM30jlRFCEZUK5WiM=
-----END CERTIFICATE-----
`

it('ends at a certificate that it does not trust, and names the file or the address to check', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-enrol-'))
  let requests = 0
  const server = createServer(selfSigned, (_, response) => {
    requests += 1
    response.writeHead(503).end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, resolve))
  onTestFinished(async () => {
    server.close()
    await rm(folder, { recursive: true })
  })
  const ca = join(folder, 'authority.pem')
  const { port } = server.address() as AddressInfo
  const printed: string[] = []
  const world = fakeWorld()
  const enrol = (host: string, authority?: string) =>
    enrolCommand(
      { world, openPlace: noPort, print: text => void printed.push(text) },
      newEnrolmentCode(new Uint8Array(10).fill(3)),
      {
        config: join(folder, 'gateway.yaml'),
        serialPort: '/dev/serial0',
        dataFolder: folder,
        cloud: `https://${host}:${port}`,
        ...(authority !== undefined && { ca: authority }),
      },
    )
  await writeFile(ca, otherAuthority)
  const ofOther = await enrol('localhost', ca)
  expect(ofOther).toMatchObject({ ok: false, text: expect.stringContaining('is not of the authority') })
  expect(ofOther).toMatchObject({ text: expect.stringContaining(`The authority is that of ${ca}:`) })
  expect(await enrol('localhost')).toMatchObject({
    ok: false,
    text: expect.stringContaining('its PEM file with --ca'),
  })
  await writeFile(ca, 'no certificate')
  expect(await enrol('localhost', ca)).toMatchObject({
    ok: false,
    text: expect.stringContaining(`${ca} of --ca holds no certificate`),
  })
  await writeFile(ca, selfSigned.cert)
  const ofName = await enrol('127.0.0.1', ca)
  expect(ofName).toMatchObject({ ok: false, text: expect.stringContaining('of another name') })
  expect(ofName).toMatchObject({ text: expect.not.stringContaining(ca) })
  expect(printed).toEqual([])
  expect(requests).toBe(0)
})

it('rejects a second enrolment with the same files until the first has ended', async () => {
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
