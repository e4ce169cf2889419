// What the walk brings in the place of the world: packages from the release, certificates, a modem at the gate.

import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { own } from '../machine.ts'
import { type Act, provide } from './way.ts'

/** The packages of the release whose names begin so, in the home of root. */
export const bringPackage = (machine: string, name: 'callgate-cloud' | 'callgate-gateway'): Act => ({
  does: `the package ${name} is brought to ${machine}`,
  async act({ release, roots }) {
    const apt = join(release, 'apt')
    for (const file of readdirSync(apt))
      if (file.startsWith(`${name}_`) && file.endsWith('_amd64.deb'))
        cpSync(join(apt, file), join(roots[machine]?.folder ?? '', 'root', file))
  },
})

/** Raspberry Pi OS brings these, and a clean Debian does not. */
export const bringTools = (machine: string): Act => ({
  does: `sudo and curl of Raspberry Pi OS on ${machine}`,
  act: stage => provide(stage, machine, 'apt-get install --yes --quiet sudo curl'),
})

/** Lets Caddy get its certificates from the authority of the walk, and waits until it has that of the name. */
export const bringCertificate = (machine: string, name = 'gates.example.com'): Act => ({
  does: `an authority gives ${name} its certificate`,
  async act(stage) {
    const { authority, roots } = stage
    const place = join(roots[machine]?.folder ?? '', own, 'authority')
    mkdirSync(place, { recursive: true })
    cpSync(authority.certificateFile, join(place, 'authority.crt'))
    cpSync(authority.keyFile, join(place, 'authority.key'))
    const of = `${own}/authority/authority`
    const settings = `{
	local_certs
	skip_install_trust
	pki {
		ca local {
			root {
				cert ${of}.crt
				key ${of}.key
			}
		}
	}
}
`
    writeFileSync(join(place, 'caddy'), settings)
    await provide(
      stage,
      machine,
      `chown caddy ${of}.key
cat ${own}/authority/caddy /etc/caddy/Caddyfile > ${own}/authority/both && cat ${own}/authority/both > /etc/caddy/Caddyfile
systemctl reload caddy
for tried in $(seq 150); do
  [ -e /var/lib/caddy/.local/share/caddy/certificates/local/${name}/${name}.key ] && exit
  sleep 0.2
done
journalctl --no-pager -u caddy; exit 1`,
    )
  },
})

/** The number of the gate whose module the simulator plays. */
export const gateNumber = '+40722000001'

/** A simulated modem in the place of wires, and a gate that rejects the call and opens. */
export const bringModem = (machine: string): Act => ({
  does: `a modem and a gate at ${machine}`,
  async act(stage) {
    const { roots, simulator } = stage
    const place = join(roots[machine]?.folder ?? '', own, 'simulator')
    cpSync(simulator, place, { recursive: true })
    cpSync(process.execPath, join(place, 'node'))
    await provide(
      stage,
      machine,
      `systemd-run --quiet --unit=modem ${own}/simulator/node ${own}/simulator/simulator.mjs --link /dev/callgate-modem --registered --gate ${gateNumber}=reject_busy
for tried in $(seq 100); do [ -e /dev/callgate-modem ] || sleep 0.2; done
chgrp dialout "$(readlink -f /dev/callgate-modem)" && chmod 660 "$(readlink -f /dev/callgate-modem)"`,
    )
  },
})
