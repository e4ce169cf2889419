// The network of a first boot as files and commands: a connection of NetworkManager, or files of systemd-networkd. Pure.

import type { AskedNetwork } from './networkFields.ts'

export interface PlannedFile {
  /** From the root, without a leading slash. */
  readonly path: string
  readonly text: string
  readonly mode: number
}

export interface NetworkPlan {
  readonly files: readonly PlannedFile[]
  /** In their order. None of them holds a secret, and each may fail: the files count at the next start. */
  readonly commands: readonly (readonly string[])[]
}

/** What manages the network of this machine. */
export type NetworkManager =
  | { readonly kind: 'NetworkManager'; readonly isRunning: boolean; readonly state: string | undefined }
  | { readonly kind: 'systemd-networkd' }

/** The files that hold the password, by who manages the network. */
export const passwordFiles = {
  NetworkManager: 'etc/NetworkManager/system-connections/callgate.nmconnection',
  'systemd-networkd': 'etc/wpa_supplicant/wpa_supplicant-wlan0.conf',
} as const
/** Where NetworkManager remembers that the Wi-Fi is off, as it is in a new Raspberry Pi OS. */
export const stateFile = 'var/lib/NetworkManager/NetworkManager.state'

const secretMode = 0o600
const openMode = 0o644

/** What one of `passwordFiles` has after `psk=`, as it stands there. */
export const keptPassword = (text: string): string | undefined => /^\s*psk=(.*)$/m.exec(text)?.[1]

/** A value of a key file (nm-settings-keyfile(5), GKeyFile). */
const escaped = (value: string) => value.replaceAll('\\', '\\\\').replaceAll(' ', '\\s')

function connectionOf({ fixed, wifi }: AskedNetwork, password: string): string {
  const parts = [
    // Before other connections of the same device, such as that of the cable which is there from the beginning.
    ['connection', 'id=callgate', `type=${wifi ? 'wifi' : 'ethernet'}`, 'autoconnect-priority=10'],
    // A list of bytes: so any name is kept, also one that begins with a blank.
    ...(wifi ? [['wifi', 'mode=infrastructure', `ssid=${[...Buffer.from(wifi.name)].join(';')};`]] : []),
    ...(wifi ? [['wifi-security', 'key-mgmt=wpa-psk', `psk=${password}`]] : []),
    fixed
      ? [
          'ipv4',
          'method=manual',
          `address1=${fixed.address},${fixed.router}`,
          `dns=${fixed.nameServers.join(';')};`,
        ]
      : ['ipv4', 'method=auto'],
    ['ipv6', 'method=auto'],
  ]
  return `${parts.map(([name, ...lines]) => [`[${name}]`, ...lines].join('\n')).join('\n\n')}\n`
}

/** The rules of radio of the country, from when the driver is loaded. */
const countryFile = (country: string): PlannedFile => ({
  path: 'etc/modprobe.d/callgate-wifi.conf',
  text: `options cfg80211 ieee80211_regdom=${country}\n`,
  mode: openMode,
})

function managedPlan(
  asked: AskedNetwork,
  password: string,
  { isRunning, state }: Extract<NetworkManager, { kind: 'NetworkManager' }>,
): NetworkPlan {
  const { wifi } = asked
  const switchedOn = state?.replace(/^WirelessEnabled=.*$/m, 'WirelessEnabled=true')
  const files = [
    { path: passwordFiles.NetworkManager, text: connectionOf(asked, password), mode: secretMode },
    ...(wifi ? [countryFile(wifi.country)] : []),
    // NetworkManager writes the file itself while it runs.
    ...(wifi && !isRunning && switchedOn !== undefined
      ? [{ path: stateFile, text: switchedOn, mode: openMode }]
      : []),
  ]
  const radio = [['nmcli', 'radio', 'wifi', 'on']]
  const running = [
    ...(wifi ? radio : []),
    ['nmcli', 'connection', 'reload'],
    ['nmcli', '--wait', '0', 'connection', 'up', 'id', 'callgate'],
  ]
  return {
    files,
    commands: [...(wifi ? [['iw', 'reg', 'set', wifi.country]] : []), ...(isRunning ? running : [])],
  }
}

function networkdPlan({ fixed, wifi }: AskedNetwork, password: string): NetworkPlan {
  const own = fixed
    ? [`Address=${fixed.address}`, `Gateway=${fixed.router}`, ...fixed.nameServers.map(one => `DNS=${one}`)]
    : ['DHCP=yes']
  const match = wifi ? ['Name=wlan0'] : ['Type=ether', 'Kind=!*']
  const files = [
    {
      path: 'etc/systemd/network/10-callgate.network',
      text: `[Match]\n${match.join('\n')}\n\n[Network]\n${own.join('\n')}\n`,
      mode: openMode,
    },
    ...(wifi
      ? [
          countryFile(wifi.country),
          {
            path: passwordFiles['systemd-networkd'],
            text: `country=${wifi.country}\nnetwork={\n  ssid=${Buffer.from(wifi.name).toString('hex')}\n  psk=${password}\n}\n`,
            mode: secretMode,
          },
        ]
      : []),
  ]
  const units = ['systemd-networkd.service', ...(wifi ? ['wpa_supplicant@wlan0.service'] : [])]
  return {
    files,
    // They start after this, and would wait for it.
    commands: [
      ['systemctl', 'enable', ...units],
      ['systemctl', '--no-block', 'restart', ...units],
    ],
  }
}

/** A password as the file of the manager has it after `psk=`. A key of 64 digits stands without quotes. */
function written(password: string, kind: NetworkManager['kind']): string {
  if (kind === 'NetworkManager') return escaped(password)
  return /^[0-9A-Fa-f]{64}$/.test(password) ? password : `"${password}"`
}

/**
 * What has to be written and run for the network. `kept`: what stands after `psk=` now. Undefined where the Wi-Fi has no password,
 * neither in the file nor from before.
 */
export function networkPlan(
  asked: AskedNetwork,
  manager: NetworkManager,
  kept: string | undefined,
): NetworkPlan | undefined {
  const given = asked.wifi?.password
  const password = given === undefined ? kept : written(given, manager.kind)
  if (asked.wifi && password === undefined) return undefined
  return manager.kind === 'NetworkManager'
    ? managedPlan(asked, password ?? '', manager)
    : networkdPlan(asked, password ?? '')
}
