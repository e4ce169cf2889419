import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { installCommandOf, readGatewayInstaller } from './gatewayInstaller.ts'

const sha256 = '0123456789abcdef'.repeat(4)
const shown = {
  code: '7H2KQM-3XW9TB-R4VN80',
  cloudUrl: 'https://gates.example.com',
  cloudKey: 'k'.repeat(43),
}

describe('readGatewayInstaller', () => {
  it('reads an address and a digest', () => {
    const read = (address: string) => readGatewayInstaller(`${address} ${sha256}`)
    const installer = { repository: 'https://packages.example.com', sha256 }
    expect(read('https://packages.example.com')).toEqual({ ok: true, installer })
    const below = { repository: 'https://packages.example.com:8443/callgate', sha256 }
    expect(read('https://packages.example.com:8443/callgate/')).toEqual({ ok: true, installer: below })
  })

  it.each([
    ['without a digest', 'https://packages.example.com'],
    ['with a digest that is cut off', `https://packages.example.com ${sha256.slice(1)}`],
    ['without encryption', `http://packages.example.com ${sha256}`],
    ['with a command in the address', `https://packages.example.com/$(id) ${sha256}`],
    ['with a second command', `https://packages.example.com/;id ${sha256}`],
    ['with a line of its own', `https://packages.example.com/\nid ${sha256}`],
  ])('refuses one %s', (_what, text) => {
    expect(readGatewayInstaller(text)).toMatchObject({ ok: false })
  })
})

it('makes one line of the shell, which runs the script only where its digest is the right one', () => {
  const command = installCommandOf({ repository: 'https://packages.example.com', sha256 }, shown)
  expect(command).not.toContain('\n')
  const run = (digest: string) => {
    const tools = `curl() { printf hello > callgate.sh; }; sudo() { echo "ran: $*"; }; cd "$(mktemp -d)"`
    const line = installCommandOf({ repository: 'https://packages.example.com', sha256: digest }, shown)
    return execFileSync('sh', ['-c', `${tools}; ${line}; true`], { encoding: 'utf8', stdio: 'pipe' })
  }
  expect(run('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824')).toContain(
    `ran: sh callgate.sh https://packages.example.com ${shown.code} --cloud ${shown.cloudUrl} --cloud-key ${shown.cloudKey}`,
  )
  expect(run(sha256)).not.toContain('ran:')
})
