// Romanian: the mute of alerts, on the page of the alerts.

import type { mute as english } from '../en/mute.ts'

export const mute: typeof english = {
  until: time => `Până la ${time} nimeni nu este anunțat prin mail.`,
  why: why => `Cine administrează acest Callgate a oprit alertele pentru un timp: ${why}`,
}
