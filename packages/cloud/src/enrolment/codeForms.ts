// The forms of a code outside the cloud: a link for a QR code, and the file for the boot partition of a card.

interface Shown {
  readonly code: string
  readonly cloudUrl: string
  readonly cloudKey: string
}

/**
 * Address, code and key in one text, which `callgate-gateway enrol` accepts in place of a code. The part behind # is sent to no
 * server, whoever opens it.
 */
export function linkOf({ cloudKey, cloudUrl, code }: Shown): string {
  return `${cloudUrl}/enrol#${code}.${cloudKey}`
}

/** The lines for a network without a cable or without DHCP, which a person fills in. */
const networkLines = [
  '# By Wi-Fi: fill these in, without the # at the beginning. The password is deleted from this file when it was taken over.',
  '#wifi: "the name of the Wi-Fi"',
  '#wifiPassword: "its password"',
  '#wifiCountry: RO',
  '# Only where the router gives no addresses:',
  '#address: 192.168.1.20/24',
  '#router: 192.168.1.1',
]

/** The file callgate-gateway.yaml. None of the values needs quotes. */
export function cardFileOf(shown: Shown & { readonly name: string; readonly expiresAt: string }): string {
  const { cloudKey, cloudUrl, code, expiresAt, name } = shown
  return [
    `# The gateway "${name}". Put this file on the boot partition of its card.`,
    `# The code can be used once, until ${expiresAt}. It is deleted from this file when it was used.`,
    `cloud: ${cloudUrl}`,
    `code: ${code}`,
    `cloudKey: ${cloudKey}`,
    '',
    ...networkLines,
    '',
  ].join('\n')
}
