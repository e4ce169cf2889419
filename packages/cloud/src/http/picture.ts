// Pictures as answers: JPEG files that never change at their address.

import type { Context } from 'koa'

/** An answer of status 200 that is a JPEG file. */
export interface Picture {
  readonly jpeg: Buffer
}

export function isPicture(answer: object): answer is Picture {
  return 'jpeg' in answer
}

/** Sends a picture. The browser keeps it for a year, and nothing between browser and cloud does: not everybody may see it. */
export function sendPicture(ctx: Context, { jpeg }: Picture): void {
  ctx.status = 200
  ctx.set({ 'Cache-Control': 'private, max-age=31536000, immutable', 'Content-Type': 'image/jpeg' })
  ctx.body = jpeg
}
