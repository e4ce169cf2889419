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
  ].join('\n')
}
