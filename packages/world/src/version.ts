// The version of this product, and the commit that it was made from.

import { readFileSync } from 'node:fs'

/** Set in a bundle by deploy/bundle.ts. */
declare const callgateVersion: string
declare const callgateCommit: string

/** The only place where the version is written by hand. */
function versionOfSources(): string {
  const manifest = new URL('../../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

/** The version after https://semver.org, such as 1.0.0-rc.1. */
export const version = typeof callgateVersion === 'undefined' ? versionOfSources() : callgateVersion

/** The first 12 digits of the commit; `-dirty` follows where files were changed after it. Run from the sources: `unknown`. */
export const commit = typeof callgateCommit === 'undefined' ? 'unknown' : callgateCommit

/** Both, for a person: 1.0.0-rc.1+0123456789ab; the version alone where the commit is not known. */
export const fullVersion = commit === 'unknown' ? version : `${version}+${commit}`
