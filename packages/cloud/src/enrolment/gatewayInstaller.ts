// Where new gateways get their package: the address of a repository for apt, and the digest of its script.

export interface GatewayInstaller {
  /** Without a trailing slash. */
  readonly repository: string
  /** The SHA-256 of install.sh there. It comes from whoever makes the releases, so a changed script is not run. */
  readonly sha256: string
}

type ReadInstaller =
  | { readonly ok: true; readonly installer: GatewayInstaller | undefined }
  | { readonly ok: false; readonly message: string }

/** Reads GATEWAY_INSTALLER. No character of it means anything to a shell. */
export function readGatewayInstaller(text: string | undefined): ReadInstaller {
  if (text === undefined) return { ok: true, installer: undefined }
  const [, repository, sha256] =
    /^(https:\/\/[a-z0-9.-]+(?::\d{1,5})?(?:\/[\w.~/-]*)?) ([0-9a-f]{64})$/.exec(text.trim()) ?? []
  if (repository === undefined || sha256 === undefined || !URL.canParse(repository)) {
    const message =
      'GATEWAY_INSTALLER must be an https:// address, a space, and the SHA-256 of its install.sh'
    return { ok: false, message }
  }
  return { ok: true, installer: { repository: repository.replace(/\/+$/, ''), sha256 } }
}

/** One line for a new gateway: gets the script, compares it, installs the package by it, and enrols with the code. */
export function installCommandOf(
  { repository, sha256 }: GatewayInstaller,
  shown: { readonly cloudUrl: string; readonly code: string; readonly cloudKey: string },
): string {
  const { cloudKey, cloudUrl, code } = shown
  return [
    `curl -fsSLo callgate.sh ${repository}/install.sh`,
    `echo ${sha256} callgate.sh | sha256sum -c`,
    `sudo sh callgate.sh ${repository} ${code} --cloud ${cloudUrl} --cloud-key ${cloudKey}`,
  ].join(' && ')
}
