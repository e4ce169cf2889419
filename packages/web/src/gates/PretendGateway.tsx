// The way to a sandbox from a Space without gates: one press gives a pretend gateway, with gates that can be opened.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { type MagicName, magicNumber } from '@callgate/contract/sandbox/magicNumbers'
import { useLocation } from 'wouter'
import type { Failure } from '../client/client.ts'
import { useCall, useClient } from '../client/connection.tsx'
import { useSessions, useSpace } from '../client/session.tsx'
import { useSending } from '../confirm/useSending.ts'
import { Trouble } from '../kit/Trouble.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { useWords } from '../words/words.tsx'
import { emptyGatesTexts } from './emptyGatesTexts.ts'

/** Makes a sandbox with one gate for each way in which an opening can end, and returns its id. */
function useMakeSandbox(): () => Promise<{ readonly ok: true; readonly spaceId: string } | Failure> {
  const says = emptyGatesTexts(useWords()).pretend
  const call = useCall()
  const client = useClient()
  const { ask } = useSessions()
  return async () => {
    const made = await call('createSandbox', { body: { name: says.name } })
    if (!made.ok) return made
    const { id: spaceId } = made.body.space
    for (const [name, gate] of Object.entries(says.gates) as [MagicName, string][]) {
      const body = { name: gate, location: says.location, phoneNumber: magicNumber(name) }
      // The sandbox is there: a gate that is missing can be added in it.
      await client.call('createGate', { params: { spaceId }, body })
    }
    // The session names the Spaces of the user.
    await ask()
    return { ok: true, spaceId }
  }
}

/** Shown to owners of a live Space. Who owns a sandbox already is led to it. */
export function PretendGateway() {
  const says = emptyGatesTexts(useWords()).pretend
  const { session, space } = useSpace()
  const [, goTo] = useLocation()
  const make = useMakeSandbox()
  const { failure, isBusy, send } = useSending()
  if (space.mode === 'sandbox' || space.role !== 'owner') return null
  const own = session.spaces.find(({ mode, role }) => mode === 'sandbox' && role === 'owner')
  const lead = (spaceId: string) => goTo(hrefOf(dashboardPaths.gates, { spaceId }))
  async function go() {
    if (own) return lead(own.id)
    const result = await send(make)
    if (result?.ok) lead(result.spaceId)
  }
  return (
    <div className="empty-pretend">
      <p className="quiet">
        {says.before}
        <button type="button" className="link" aria-disabled={isBusy} onClick={() => void go()}>
          {isBusy ? says.making : says.make}
        </button>
        {says.after}
      </p>
      <Trouble form={{ failure }} title={says.failed} own={{ network_error: says.noAnswer }} />
    </div>
  )
}
