// The photos of gates on the guest's page: a place of fixed size, which the script fills, and the file behind it.

import type { Database } from '../database/database.ts'
import { readPhoto } from '../gate/gatePhotos.ts'
import { type Html, html } from '../text/html.ts'
import { findGuestGate, type GuestGate } from './guestRows.ts'
import type { Setting } from './page.ts'
import type { Answering } from './visit.ts'

/** The place of a gate's photo; nothing where it has none. Its name stands beside it, so the photo has no text of its own. */
export function photoPlace({ home }: Setting, { gateId, photo }: GuestGate): Html | undefined {
  return photo === null
    ? undefined
    : html`<span class="photo" data-src="${home}/gates/${gateId}/photo/${photo}"></span>`
}

/** Answers with the photo of a gate that the member may open at some time, while the gate still has it. */
export function showingPhoto({ database }: { readonly database: Database }): Answering {
  return async ({ ctx, member }) => {
    const { gateId, hash } = ctx['params']
    const gate = await findGuestGate(database.knex, member, String(gateId))
    return (
      gate && readPhoto(database.knex, { spaceId: member.spaceId, gateId: gate.gateId, hash: String(hash) })
    )
  }
}
