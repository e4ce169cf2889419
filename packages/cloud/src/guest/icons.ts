// Icons of the guest's pages: outlines from Tabler (MIT licence), drawn within the page. No meaning depends on an icon alone.

import { type Html, html, trusted } from '../text/html.ts'

const paths = {
  world:
    'M3 12a9 9 0 1 0 18 0a9 9 0 0 0-18 0M3.6 9h16.8M3.6 15h16.8M11.5 3a17 17 0 0 0 0 18M12.5 3a17 17 0 0 1 0 18',
  clock: 'M3 12a9 9 0 1 0 18 0a9 9 0 0 0-18 0M12 7v5l3 3',
  ticket:
    'M15 5v2M15 11v2M15 17v2M5 5h14a2 2 0 0 1 2 2v3a2 2 0 0 0 0 4v3a2 2 0 0 1-2 2h-14a2 2 0 0 1-2-2v-3a2 2 0 0 0 0-4v-3a2 2 0 0 1 2-2',
  calendar:
    'M11.8 21h-6.8a2 2 0 0 1-2-2v-12a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v4M14 18a4 4 0 1 0 8 0a4 4 0 1 0-8 0M15 3v4M7 3v4M3 11h16M18 16.5v1.5l1 1',
  pin: 'M15 4.5l-4 4l-4 1.5l-1.5 1.5l7 7l1.5-1.5l1.5-4l4-4M9 15l-4.5 4.5M14.5 4l5.5 5.5',
  phone: 'M5 4h4l2 5l-2.5 1.5a11 11 0 0 0 5 5l1.5-2.5l5 2v4a2 2 0 0 1-2 2a16 16 0 0 1-15-15a2 2 0 0 1 2-2',
  phoneX:
    'M5 4h4l2 5l-2.5 1.5a11 11 0 0 0 5 5l1.5-2.5l5 2v4a2 2 0 0 1-2 2a16 16 0 0 1-15-15a2 2 0 0 1 2-2M16 4l4 4m0-4l-4 4',
  phoneOff:
    'M3 21l18-18M5.8 14.2a16 16 0 0 1-2.8-8.2a2 2 0 0 1 2-2h4l2 5l-2.5 1.5c.1.2.2.4.3.6m1.8 2.3c.8.8 1.8 1.5 2.9 2.1l1.5-2.5l5 2v4a2 2 0 0 1-2 2a16 16 0 0 1-10.3-4.7',
  eye: 'M10 12a2 2 0 1 0 4 0a2 2 0 0 0-4 0M21 12c-2.4 4-5.4 6-9 6s-6.6-2-9-6c2.4-4 5.4-6 9-6s6.6 2 9 6',
  check: 'M5 12l5 5l10-10',
  x: 'M18 6l-12 12M6 6l12 12',
  wifiOff:
    'M12 18h.01M9.2 15.2a4 4 0 0 1 5.6 0M6.3 12.3a8 8 0 0 1 3.9-2.1m4.2.2a8 8 0 0 1 3.2 2M3.5 9.5a12 12 0 0 1 3.6-2.5m3.1-.9a12 12 0 0 1 10.3 3.4M3 3l18 18',
  linkOff:
    'M9 15l3-3m2-2l1-1M11 6l.5-.5a5 5 0 0 1 7 7l-.5.5M3 3l18 18M13 18l-.4.5a5 5 0 0 1-7.1 0a5 5 0 0 1 0-7l.5-.5',
  shield: 'M11.5 20.8a12 12 0 0 1-8-14.8a12 12 0 0 0 8.5-3a12 12 0 0 0 8.5 3a12 12 0 0 1-.1 7M15 19l2 2l4-4',
  lock: 'M5 13a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2h-10a2 2 0 0 1-2-2zM11 16a1 1 0 1 0 2 0a1 1 0 0 0-2 0M8 11v-4a4 4 0 1 1 8 0v4',
  alert:
    'M12 9v4M10.4 3.6l-8.1 13.5a1.9 1.9 0 0 0 1.6 2.9h16.2a1.9 1.9 0 0 0 1.6-2.9l-8.1-13.5a1.9 1.9 0 0 0-3.2 0zM12 16h.01',
} as const
export type IconName = keyof typeof paths

/** Hidden from a screen reader: the words beside it say the same. `className` is one of the stylesheet. */
export function icon(name: IconName, size = 20, className?: string): Html {
  const named = className === undefined ? undefined : html` class="${className}"`
  return html`<svg aria-hidden="true"${named} width="${size}" height="${size}" viewBox="0 0 24 24"><path d="${paths[name]}"/></svg>`
}

/** The mark: a ring whose leaf is open. */
export const mark: Html = trusted(
  '<svg aria-hidden="true" class="mark" width="20" height="17" viewBox="0 3 32 27"><path d="M21.9 23.5A10.8 10.8 0 1 1 21.6 9.4M21.9 23.5L29.2 11.6"/></svg>',
)
