import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConsoleLine } from '@callgate/modem/core/consoleLine'
import { realWorld } from '@callgate/world/real'
import { version } from '@callgate/world/version'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { daemonRig } from '../daemon.kit.ts'
import { type LocalAnswers, openLocalServer } from '../local/localServer.ts'
import { noPort } from './device.kit.ts'
import { thisDevice } from './device.ts'
import { modemPlaceOf } from './newConfiguration.ts'

const world = realWorld({ logLevel: 'silent' })
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callgate-device-'))
  onTestFinished(() => rm(folder, { recursive: true }))
})

const place = () => ({ serialPorts: ['/dev/none'], baudRate: 115_200, dataFolder: folder })
const check = () => thisDevice(world, place(), noPort, folder)

/** Runs a daemon that holds the port. */
async function daemon(at: LocalAnswers['at']) {
  const rig = await daemonRig()
  rig.start()
  const server = await openLocalServer({ world, folder, answers: { ...rig.daemon.answers(), at } })
  onTestFinished(() => server?.close())
}

it('reports the serial number of the board, and the IMEI that it gets through the daemon', async () => {
  await writeFile(join(folder, 'serial-number'), '10000000abcdef01\0')
  await writeFile(join(folder, 'model'), 'Raspberry Pi 4 Model B Rev 1.5\0')
  await daemon(async line => ({
    result: 'ok',
    lines: readConsoleLine(line).ok && line === 'AT+GSN' ? ['867200030000001'] : [],
    why: null,
  }))
  expect(await check()).toEqual({
    device: {
      version,
      model: 'Raspberry Pi 4 Model B Rev 1.5',
      serial: '10000000abcdef01',
      imei: '867200030000001',
    },
    says: 'Serial number: 10000000abcdef01. IMEI of the modem: 867200030000001.',
  })
})

it('says what is missing, and why', async () => {
  expect(await check()).toEqual({
    device: { version },
    says: 'This machine has no serial number. The IMEI of the modem is not known, and is left out. The serial port is missing.',
  })
  await daemon(async () => ({ result: 'refused', lines: [], why: 'An opening is being served' }))
  expect((await check()).says).toContain('is left out. An opening is being served.')
})

it('omits an IMEI with a wrong length, and cleans and shortens a strange serial number', async () => {
  await writeFile(join(folder, 'serial-number'), `\u001b[2J${'7'.repeat(100)}`)
  await daemon(async () => ({ result: 'ok', lines: ['8672000300000017', 'x'], why: null }))
  const { device, says } = await check()
  expect(device).toEqual({ version, serial: `[2J${'7'.repeat(61)}` })
  expect(says).toContain('tells the daemon no IMEI of 15 digits')
})

it('expects the modem where the configuration will say that it is', async () => {
  const file = join(folder, 'gateway.yaml')
  const chosen = { serialPort: '/dev/serial0', dataFolder: 'state' }
  const state = join(folder, 'state')
  const usual = { serialPorts: ['/dev/serial0'], baudRate: 115_200, dataFolder: state }
  expect(await modemPlaceOf(file, chosen)).toEqual(usual)
  await writeFile(
    file,
    'serialPort:\n  - /dev/ttyUSB2\n  - /dev/ttyUSB3\nbaudRate: 9600\ndataFolder: /var/own\n',
  )
  const own = { serialPorts: ['/dev/ttyUSB2', '/dev/ttyUSB3'], baudRate: 9_600, dataFolder: '/var/own' }
  expect(await modemPlaceOf(file, chosen)).toEqual(own)
  const serialPort = '/dev/ttyAMA0'
  expect(await modemPlaceOf(file, { ...chosen, ofModem: { serialPort } })).toEqual({
    ...own,
    serialPorts: [serialPort],
  })
  await writeFile(file, 'serialPort: [\nbaudRate: fast')
  expect(await modemPlaceOf(file, chosen)).toEqual(usual)
})
