// Passkeys: what the browser's own API asks the person for.

/** Asks for a passkey; undefined when the person gave none, or this browser has none. */
export async function givenPasskey(
  options: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown> | undefined> {
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
      options as unknown as PublicKeyCredentialRequestOptionsJSON,
    )
    const given = await navigator.credentials.get({ publicKey })
    return given instanceof PublicKeyCredential ? { ...given.toJSON() } : undefined
  } catch {
    return undefined
  }
}

/** Whether this browser can be asked for a passkey. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential
}
