import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { bootNetworkCommand, runProgram } from './bootNetwork.ts'
import { openBootPartition } from './bootPartition.ts'

const password = 'pass\\word 1'
const lines = [
  'cloud: https://gates.example.com',
  'wifi: " At home"',
  `wifiPassword: ${password}`,
  'wifiCountry: RO',
]
const connection = 'etc/NetworkManager/system-connections/callgate.nmconnection'
const state = 'var/lib/NetworkManager/NetworkManager.state'

let root: string
let printed: string[]
let ran: string[]
const at = (path: string) => join(root, path)
const text = (path: string) => readFile(at(path), 'utf8')
const result = () => text('boot/firmware/callgate-gateway.txt')
const card = 'boot/firmware/callgate-gateway.yaml'
async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(at(path)), { recursive: true })
  await writeFile(at(path), content)
}
const write = (given: readonly string[]) => put(card, `${given.join('\r\n')}\r\n`)
const options = () => ({ folder: at('boot/firmware'), console: '/nowhere', said: at('said.txt') })
function run(works = true) {
  ran = []
  const given = {
    root,
    print: (said: string) => void printed.push(said),
    run: async (command: readonly string[]) => {
      ran.push(command.join(' '))
      return works
    },
  }
  return bootNetworkCommand(given, options())
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'callgate-network-'))
  printed = []
  await put('usr/sbin/NetworkManager', '')
  await write(lines)
})
afterEach(() => rm(root, { recursive: true, force: true }))

it('makes a connection of NetworkManager, switches the Wi-Fi on, and deletes the password', async () => {
  await put(state, '[main]\nNetworkingEnabled=true\nWirelessEnabled=false\n')
  const before = await text(card)
  expect(await run()).toBe('set')
  const made = await text(connection)
  expect(made).toContain(`[wifi]\nmode=infrastructure\nssid=${[...Buffer.from(' At home')].join(';')};\n`)
  expect(made).toContain('psk=pass\\\\word\\s1\n')
  expect(made).toContain('[ipv4]\nmethod=auto\n')
  expect((await stat(at(connection))).mode & 0o777).toBe(0o600)
  expect(await text('etc/modprobe.d/callgate-wifi.conf')).toBe('options cfg80211 ieee80211_regdom=RO\n')
  expect(await text(state)).toBe('[main]\nNetworkingEnabled=true\nWirelessEnabled=true\n')
  expect(ran).toEqual(['iw reg set RO'])
  const line = `wifiPassword: ${password}`
  expect(await text(card)).toBe(before.replace(line, '# Password taken over.'.padEnd(line.length)))
  expect(await result()).toContain(
    'The network is set up: the Wi-Fi  At home, with an address from the router.',
  )
  expect(printed.join() + (await result()) + (await text('said.txt'))).not.toContain('word 1')
})

it('keeps the password where the file names another Wi-Fi afterwards, and writes nothing where all is there', async () => {
  await run()
  await rm(at('boot/firmware/callgate-gateway.txt'))
  expect([await run(), ran, await result()]).toEqual(['set', [], ''])
  const taken = (await text(card)).replace('" At home"', 'At work')
  await put(card, `${taken}address: 10.0.0.20/8\r\nrouter: 10.0.0.1\r\nnameServers: 9.9.9.9\r\n`)
  await mkdir(at('run/NetworkManager'), { recursive: true })
  expect(await run(false)).toBe('set')
  const made = await text(connection)
  expect(made).toContain('psk=pass\\\\word\\s1\n')
  expect(made).toContain('[ipv4]\nmethod=manual\naddress1=10.0.0.20/8,10.0.0.1\ndns=9.9.9.9;\n')
  // It runs already, so it is told.
  expect(ran).toEqual([
    'iw reg set RO',
    'nmcli radio wifi on',
    'nmcli connection reload',
    'nmcli --wait 0 connection up id callgate',
  ])
  expect(printed).toContain('nmcli connection reload: failed')
})

it('gives the cable a fixed address', async () => {
  await write(['cloud: https://gates.example.com', 'address: 192.168.1.20/24', 'router: 192.168.1.1'])
  expect(await run()).toBe('set')
  expect(await text(connection)).toMatch(
    /type=ethernet\n[\s\S]*address1=192\.168\.1\.20\/24,192\.168\.1\.1\n/,
  )
  expect(ran).toEqual([])
})

it('says that the password is missing, with the line of the Wi-Fi', async () => {
  await write(lines.filter(line => !line.startsWith('wifiPassword')))
  expect(await run()).toBe('failed')
  expect(await result()).toMatch(/is not right:\nline 2: wifiPassword is missing/)
})

it('shows the mistakes of the file, and keeps the password in it', async () => {
  await write([...lines.slice(0, 3), 'wifiCountry: Romania'])
  expect(await run()).toBe('failed')
  expect(await result()).toContain('line 4: wifiCountry must be like "RO"')
  expect(await text(card)).toContain(password)
  await writeFile(at(card), Buffer.from('cloud: https://a.example\nwifi: Poart\xe3\n', 'latin1'))
  expect(await run()).toBe('failed')
  expect(await result()).toContain('another encoding than UTF-8')
  await writeFile(at(card), Buffer.from(`\uFEFF${lines.join('\n')}`, 'utf16le'))
  expect(await run()).toBe('failed')
  expect(await result()).toContain('another encoding than UTF-8')
})

it('writes for systemd-networkd where there is no NetworkManager', async () => {
  await rm(at('usr/sbin/NetworkManager'))
  expect(await run()).toBe('failed')
  expect(await result()).toContain('neither NetworkManager nor systemd-networkd')
  await put('usr/lib/systemd/systemd-networkd', '')
  expect(await run()).toBe('failed')
  await put('usr/sbin/wpa_supplicant', '')
  expect(await run()).toBe('set')
  const supplicant = 'etc/wpa_supplicant/wpa_supplicant-wlan0.conf'
  const ssid = Buffer.from(' At home').toString('hex')
  const network = `country=RO\nnetwork={\n  ssid=${ssid}\n  psk="pass\\word 1"\n}\n`
  expect(await text(supplicant)).toBe(network)
  expect((await stat(at(supplicant))).mode & 0o777).toBe(0o600)
  expect(await text('etc/systemd/network/10-callgate.network')).toBe(
    '[Match]\nName=wlan0\n\n[Network]\nDHCP=yes\n',
  )
  const units = 'systemd-networkd.service wpa_supplicant@wlan0.service'
  expect(ran).toEqual([`systemctl enable ${units}`, `systemctl --no-block restart ${units}`])
  await put(card, `${await text(card)}address: 10.0.0.20/8\nrouter: 10.0.0.1\n`)
  expect(await run()).toBe('set')
  expect(await text('etc/systemd/network/10-callgate.network')).toContain(
    'Address=10.0.0.20/8\nGateway=10.0.0.1\nDNS=10.0.0.1\n',
  )
  expect(await text(supplicant)).toBe(network)
})

it('leaves the network alone where the file says nothing of it, and follows no link', async () => {
  await write(lines.slice(0, 1))
  expect([await run(), printed]).toEqual(['nothing', []])
  await rm(at(card))
  expect(await run()).toBe('nothing')
  await symlink('/etc/passwd', at(card))
  expect(await run()).toBe('unusable')
  expect(printed).toEqual([expect.stringContaining('ELOOP. Run it as root.')])
})

it('is shown again above what the enrolment says', async () => {
  await run()
  const boot = await openBootPartition(options())
  await boot?.show('The code was taken.')
  await boot?.close()
  expect(await result()).toMatch(/^Callgate gateway\nThe network is set up: .*\nThe code was taken\.\n$/)
})

it('runs a program to its end', async () => {
  expect(await Promise.all([['true'], ['false'], ['no-such-program']].map(runProgram))).toEqual([
    true,
    false,
    false,
  ])
})
