// Passkeys: public keys of authenticators, by which a user signs in or confirms (WebAuthn level 3).

import { isoTime, type World } from '@callgate/world/world'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Db } from '../database/database.ts'
import type { Tickets } from './tickets.ts'

export interface PasskeyRow {
  readonly id: string
  readonly userId: string
  readonly name: string
  /** Base64url of the COSE key. */
  readonly publicKey: string
  readonly counter: number
  /** JSON. */
  readonly transports: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

interface PasskeysParts {
  readonly world: World
  readonly tickets: Tickets
  readonly appUrl: string
}

/** The site for which passkeys are made, by its host. */
const siteOf = (appUrl: string) => ({
  expectedOrigin: new URL(appUrl).origin,
  expectedRPID: new URL(appUrl).hostname,
  requireUserVerification: true,
})

const newChallenge = (world: World) => Uint8Array.from(world.randomBytes(32))

/** Reads and spends a ticket: its content at the first use. */
async function spent(
  tickets: Tickets,
  kind: 'passkey' | 'passkey sign-in',
  ticket: string,
): Promise<string | undefined> {
  const held = tickets.read(kind, ticket)
  return held !== undefined && (await tickets.spend(ticket)) ? held : undefined
}

/** Loaded when the first passkey is used. */
const library = () => import('@simplewebauthn/server')

const transportsOf = ({ transports }: PasskeyRow) => JSON.parse(transports) as AuthenticatorTransport[]

function registration({ appUrl, tickets, world }: PasskeysParts) {
  const site = siteOf(appUrl)
  return {
    /** The options for a browser to make a passkey for the user; `known` are the user's existing ones. */
    async startRegistration(
      user: { readonly id: string; readonly email: string; readonly name: string },
      known: readonly PasskeyRow[],
    ) {
      const { generateRegistrationOptions } = await library()
      const options = await generateRegistrationOptions({
        rpName: 'Callgate',
        rpID: site.expectedRPID,
        userID: Uint8Array.from(Buffer.from(user.id)),
        userName: user.email,
        userDisplayName: user.name,
        challenge: newChallenge(world),
        attestationType: 'none',
        excludeCredentials: known.map(row => ({ id: row.id, transports: transportsOf(row) })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      return { options: { ...options }, ticket: tickets.make('passkey', `${user.id} ${options.challenge}`) }
    },

    /** The new passkey that a browser has made for the user; undefined when any part of it is invalid. */
    async finishRegistration(
      userId: string,
      given: { readonly ticket: string; readonly credential: object; readonly name: string },
    ): Promise<PasskeyRow | undefined> {
      const [of, expectedChallenge] =
        (await (await spent(tickets, 'passkey', given.ticket))?.split(' ')) ?? []
      if (expectedChallenge === undefined || of !== userId) return undefined
      const { verifyRegistrationResponse } = await library()
      const response = given.credential as RegistrationResponseJSON
      const verified = await verifyRegistrationResponse({ ...site, response, expectedChallenge }).catch(
        () => undefined,
      )
      if (!verified?.verified) return undefined
      const { counter, id, publicKey, transports = [] } = verified.registrationInfo.credential
      return {
        id,
        userId,
        name: given.name,
        publicKey: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports: JSON.stringify(transports),
        createdAt: isoTime(world.nowMs()),
        lastUsedAt: null,
      }
    },
  }
}

function authentication({ appUrl, tickets, world }: PasskeysParts) {
  const site = siteOf(appUrl)
  return {
    /** The options for a browser to use any passkey that it has, of any user. */
    async startAuthentication() {
      const { generateAuthenticationOptions } = await library()
      const options = await generateAuthenticationOptions({
        rpID: site.expectedRPID,
        challenge: newChallenge(world),
        userVerification: 'required',
      })
      return { options: { ...options }, ticket: tickets.make('passkey sign-in', options.challenge) }
    },

    /** The passkey that has answered the challenge, with its new counter; undefined when any part of it is invalid. */
    async finishAuthentication(
      db: Db,
      given: { readonly ticket: string; readonly credential: object },
    ): Promise<Pick<PasskeyRow, 'id' | 'userId' | 'counter'> | undefined> {
      const expectedChallenge = await spent(tickets, 'passkey sign-in', given.ticket)
      const response = given.credential as AuthenticationResponseJSON
      if (expectedChallenge === undefined || typeof response.id !== 'string') return undefined
      const row = await db<PasskeyRow>('passkeys').where({ id: response.id }).first()
      if (!row) return undefined
      const { verifyAuthenticationResponse } = await library()
      const credential = {
        id: row.id,
        publicKey: Uint8Array.from(Buffer.from(row.publicKey, 'base64url')),
        counter: Number(row.counter),
        transports: transportsOf(row),
      }
      const asked = { ...site, response, expectedChallenge, credential }
      const verified = await verifyAuthenticationResponse(asked).catch(() => undefined)
      if (!verified?.verified) return undefined
      return { id: row.id, userId: row.userId, counter: verified.authenticationInfo.newCounter }
    },

    /**
     * Records a use in the transaction for which the passkey is used. False where the passkey was removed since its answer, or a
     * later answer was accepted: only a copy answers with an old counter.
     */
    async noteUse(tx: Db, { counter, id }: Pick<PasskeyRow, 'id' | 'counter'>): Promise<boolean> {
      const used = await tx('passkeys')
        .where({ id })
        .where(later => later.where('counter', '<', counter).orWhere({ counter: 0 }))
        .update({ counter, lastUsedAt: isoTime(world.nowMs()) })
      return used === 1
    },
  }
}

export function createPasskeys(parts: PasskeysParts) {
  return { ...registration(parts), ...authentication(parts) }
}
export type Passkeys = ReturnType<typeof createPasskeys>
