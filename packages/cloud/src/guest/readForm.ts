// Reads the forms of the guests' pages.

import type { Context } from 'koa'
import { koaBody } from 'koa-body'

const parseForm = koaBody({
  urlencoded: true,
  formLimit: 4096,
  json: false,
  text: false,
  multipart: false,
  patchKoa: true,
})

/** The fields of a form; none when it is not a form, or too large. */
export async function readForm(ctx: Context): Promise<ReadonlyMap<string, string>> {
  try {
    await parseForm(ctx, async () => {})
  } catch {
    // The rest of the body is not read, so the connection cannot serve another request.
    ctx.set('Connection', 'close')
    return new Map()
  }
  const body: unknown = ctx.request.body
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : []
  return new Map(fields.filter((field): field is [string, string] => typeof field[1] === 'string'))
}

/** Whether another site sent the form, which then presses nothing. Where the browser does not say it, cookie and nonce decide. */
export function isForeign(ctx: Context): boolean {
  const from = ctx.get('Sec-Fetch-Site')
  return from !== '' && from !== 'same-origin'
}
