// Which authorities a connection trusts that names none: the same for all commands of the gateway and of the
// cloud.

import * as tls from 'node:tls'

/** Newer than the oldest Node that runs the two programs. */
interface NewTls {
  getCACertificates?(of: 'default' | 'system'): string[]
  setDefaultCACertificates?(certificates: readonly string[]): void
}
const { getCACertificates, setDefaultCACertificates } = tls as typeof tls & NewTls

/** From now on this process also trusts the authorities that this machine trusts. An older Node goes by its own alone. */
export function trustMachine(): void {
  if (getCACertificates && setDefaultCACertificates)
    setDefaultCACertificates([...new Set([...getCACertificates('default'), ...getCACertificates('system')])])
}

/** What is trusted where a connection names no authority. */
export const trusted = (): readonly string[] => getCACertificates?.('default') ?? tls.rootCertificates
