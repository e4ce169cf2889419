// Passkeys: the questions of the browser's own API to the person.

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

/** Why the browser makes no passkey, by the name of its error (WebAuthn level 3, 5.1.3). */
const refusals: Readonly<Record<string, 'known' | 'elsewhere'>> = {
  InvalidStateError: 'known',
  SecurityError: 'elsewhere',
}

/**
 * Asks for a new passkey. `known`: the chosen device already has one of this user. `elsewhere`: the page has another address than
 * the passkeys are for. Undefined: the person made none, or this browser cannot.
 */
export async function newPasskey(
  options: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown> | 'known' | 'elsewhere' | undefined> {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
      options as unknown as PublicKeyCredentialCreationOptionsJSON,
    )
    const made = await navigator.credentials.create({ publicKey })
    return made instanceof PublicKeyCredential ? { ...made.toJSON() } : undefined
  } catch (error) {
    return error instanceof DOMException ? refusals[error.name] : undefined
  }
}

/** Whether this browser has passkeys. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential
}
