// Whether a release may be made of the sources as they are. Pure.

interface Sources {
  readonly version: string
  /** The content of deploy/CHANGELOG.md. */
  readonly changelog: string
  /** What `git status --porcelain` says: nothing where everything is committed. */
  readonly changes: string
}

/** Why no release may be made; undefined where one may. */
export function whyNoRelease({ changelog, changes, version }: Sources): string | undefined {
  const versions = /^\d+\.\d+\.\d+(-rc\.\d+)?$/
  if (!versions.test(version))
    return `The version in package.json is ${version}. It must be like 1.2.0, or 1.2.0-rc.1 for a release candidate.`
  if (changes !== '')
    return `These files are not committed, so the release could not be made again:\n${changes}`
  const heading = new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d{2}-\\d{2}\\n`, 'm')
  const [, after] = changelog.split(heading)
  if (after === undefined)
    return `deploy/CHANGELOG.md has no entry for this version. Begin one with "## [${version}] - " and the date.`
  const [entry = ''] = after.split(/^## /m)
  if (!/^### Upgrading\n+[^#\s]/m.test(entry))
    return `The entry of ${version} in deploy/CHANGELOG.md does not say what an operator does. Add it below "### Upgrading".`
  return undefined
}
