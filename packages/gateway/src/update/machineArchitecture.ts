// The names of releases for the processors that Node names.

import type { ReleaseArchitecture } from '@callgate/contract/releaseWords'

const architectures: Readonly<Record<string, ReleaseArchitecture>> = {
  x64: 'amd64',
  arm64: 'arm64',
  arm: 'armhf',
}

/** Converts Node's name to that of releases. An unknown name stays as it is, and no release is for it. */
export const machineArchitecture = (node: string): string => architectures[node] ?? node
