// The authorities that a connection trusts by default: the same for all commands of the gateway and of the cloud.

import * as tls from 'node:tls'

/** Functions that are newer than the oldest Node that runs the two programs. */
interface NewTls {
  getCACertificates?(of: 'default' | 'system'): string[]
  setDefaultCACertificates?(certificates: readonly string[]): void
}
const { getCACertificates, setDefaultCACertificates } = tls as typeof tls & NewTls

/** Makes this process also trust the authorities of this machine. An older Node keeps to its own. */
export function trustMachine(): void {
  if (getCACertificates && setDefaultCACertificates)
    setDefaultCACertificates([...new Set([...getCACertificates('default'), ...getCACertificates('system')])])
}

/** The authorities that are trusted where a connection names none. */
export const trusted = (): readonly string[] => getCACertificates?.('default') ?? tls.rootCertificates
