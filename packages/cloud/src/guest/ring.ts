// The ring of an opening: four arcs, clockwise from the top: asked, calling, ringing, taken. It is the frame of the button, the
// progress of a call, and the sign of its end. The number of lit arcs is in `data-lit` of the element around it.

import { type Html, html, trusted } from '../text/html.ts'

/** One of four arcs, from the top to the right, between gaps; `half` is half a gap with the round end of a line. */
function arc(radius: number, half: number): string {
  const along = Math.sqrt(radius ** 2 - half ** 2).toFixed(1)
  return `M${half}-${along}A${radius} ${radius} 0 0 1 ${along}-${half}`
}

function arcs(path: string): string {
  const one = (turn: number) => {
    const turned = turn === 0 ? '' : ` transform="rotate(${turn})"`
    return `<path pathLength="1" d="${path}"${turned}/>`
  }
  const four = [0, 90, 180, 270].map(one).join('')
  return `<g class="k">${four}</g><g class="l">${four}</g>`
}

const large = arcs(arc(135.5, 10.5))
const small = arcs(arc(55.5, 8.5))

/** The arcs around a button or a counter, 280 px. */
export const ring: Html = trusted(`<svg aria-hidden="true" viewBox="-140 -140 280 280">${large}</svg>`)

/** The small ring above a text, with an icon in it. */
export function smallRing(inside: Html): Html {
  return html`<div class="ring small"><svg aria-hidden="true" viewBox="-60 -60 120 120">${trusted(small)}</svg>${inside}</div>`
}
