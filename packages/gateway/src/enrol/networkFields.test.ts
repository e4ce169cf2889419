import { expect, it } from 'vitest'
import { readFirstBoot } from './firstBootFile.ts'
import { askedNetwork } from './networkFields.ts'

const cloud = 'cloud: https://gates.example.com'
const read = (...lines: readonly string[]) => readFirstBoot(`${[cloud, ...lines].join('\n')}\n`)
const asked = (...lines: readonly string[]) => {
  const file = read(...lines)
  if (!file.ok) throw new Error(file.message)
  return askedNetwork(file.value.asked)
}
const home = ['wifi: At home', 'wifiPassword: open sesame', 'wifiCountry: RO']

it('asks for nothing where no field of the network is given', () => {
  expect(asked()).toBeUndefined()
})

it.each<[string, readonly string[], string, string]>([
  ['plain', home, 'At home', 'open sesame'],
  ['blanks around them', ['wifi:   At home  ', ...home.slice(1)], 'At home', 'open sesame'],
  ['Windows line ends', home.map(line => `${line}\r`), 'At home', 'open sesame'],
  [
    'quotes',
    ['wifi: " At home"', "wifiPassword: 'it''s #1: \\t'", 'wifiCountry: ro'],
    ' At home',
    "it's #1: \\t",
  ],
  ['other letters', ['wifi: Poartă 🚪', 'wifiPassword: "pärölä"', 'wifiCountry: RO'], 'Poartă 🚪', 'pärölä'],
  ['digits', ['wifi: 12345', 'wifiPassword: 00123456', 'wifiCountry: RO'], '12345', '00123456'],
])('reads a Wi-Fi with %s', (_, lines, name, password) => {
  expect(asked(...lines)).toEqual({ wifi: { name, password, country: 'RO' } })
})

it('reads the file of an editor that begins it with a byte order mark', () => {
  const file = readFirstBoot(`\uFEFF${home.join('\r\n')}\r\n${cloud}\r\n`)
  expect(file.ok && askedNetwork(file.value.asked)?.wifi?.name).toBe('At home')
  expect(file.ok && file.value.places.wifiPassword?.at).toBe(Buffer.byteLength('\uFEFFwifi: At home\r\n'))
})

it('reads a key of 64 digits, and names Great Britain as the rules of radio do', () => {
  const key = '0123456789abcdef'.repeat(4)
  expect(asked('wifi: x', `wifiPassword: ${key}`, 'wifiCountry: uk')?.wifi).toEqual({
    name: 'x',
    password: key,
    country: 'GB',
  })
})

it('reads a fixed address, whose router also tells names where nothing else is said', () => {
  const address = ['address: 192.168.1.20/24', 'router: 192.168.1.1']
  const fixed = { address: '192.168.1.20/24', router: '192.168.1.1', nameServers: ['192.168.1.1'] }
  expect(asked(...address)).toEqual({ fixed })
  const nameServers = ['9.9.9.9', '1.1.1.1']
  expect(asked(...address, 'nameServers: 9.9.9.9, 1.1.1.1')).toEqual({ fixed: { ...fixed, nameServers } })
})

it.each<[string, readonly string[], string]>([
  ['a password without a name', ['wifiPassword: open sesame'], 'line 2: wifiPassword is given without wifi'],
  ['no country', home.slice(0, 2), 'line 2: wifiCountry is missing'],
  ['no such country', [...home.slice(0, 2), 'wifiCountry: QQ'], 'line 4: wifiCountry is no country'],
  [
    'a country as a word',
    [...home.slice(0, 2), 'wifiCountry: Romania'],
    'line 4: wifiCountry must be like "RO"',
  ],
  [
    'a name that is too long',
    ['wifi: ăăăăăăăăăăăăăăăăă', ...home.slice(1)],
    'line 2: wifi must have 32 bytes',
  ],
  ['an empty name', ['wifi:', ...home.slice(1)], 'line 2: wifi must be like'],
  [
    'a short password',
    ['wifi: x', 'wifiPassword: 1234567', 'wifiCountry: RO'],
    'line 3: wifiPassword must have 8',
  ],
  [
    'a tab in a password',
    ['wifi: x', 'wifiPassword: "12\\t345678"', 'wifiCountry: RO'],
    'line 3: wifiPassword',
  ],
  [
    'a comment in a password',
    ['wifi: x', 'wifiPassword: pass word #1', 'wifiCountry: RO'],
    'line 3: wifiPassword holds " #"',
  ],
  ['curly quotes', ['wifi: “At home”', ...home.slice(1)], 'line 2: wifi begins with a curly quote'],
  [
    'a colon in a name',
    ['wifi: At: home', ...home.slice(1)],
    'line 2: a value that holds ": " must be in quotes',
  ],
  [
    'a password over two lines',
    ['wifi: x', 'wifiPassword: open', '  sesame', 'wifiCountry: RO'],
    'line 3: The password must stand in a line',
  ],
  ['a field twice', [...home, 'wifi: other'], 'line 5: this field is written twice'],
  ['a router alone', ['router: 192.168.1.1'], 'line 2: router is given without address'],
  ['an address without a router', ['address: 192.168.1.20/24'], 'line 2: router is missing'],
  [
    'an address without a length',
    ['address: 192.168.1.20', 'router: 192.168.1.1'],
    'line 2: address must be like',
  ],
  [
    'a wrong address',
    ['address: 192.168.1.300/24', 'router: 192.168.1.1'],
    'line 2: address must be like 192',
  ],
  [
    'a wrong length',
    ['address: 192.168.1.20/32', 'router: 192.168.1.1'],
    'line 2: address must end with /8 to /30',
  ],
  [
    'a router elsewhere',
    ['address: 192.168.1.20/24', 'router: 192.168.2.1'],
    'line 3: router must be another',
  ],
  [
    'its own address as the router',
    ['address: 192.168.1.1/24', 'router: 192.168.1.1'],
    'line 3: router must be another',
  ],
  [
    'a wrong name server',
    ['address: 192.168.1.20/24', 'router: 192.168.1.1', 'nameServers: 9.9.9.999'],
    'line 4: nameServers must be like',
  ],
])('rejects %s, with the line and without the value', (_, lines, message) => {
  const file = read(...lines)
  expect(file).toEqual({ ok: false, message: expect.stringContaining(message) })
  expect(JSON.stringify(file)).not.toMatch(/1234567|pass word|sesame/)
})
