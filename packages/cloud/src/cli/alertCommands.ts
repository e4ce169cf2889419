// The operator's commands on alerts: what they do and print.

import { mostMutedMs, muteAlerts, unmuteAlerts } from '../alert/mutes.ts'
import { counted } from '../core/counted.ts'
import { type CommandWork, refuse } from './commandWork.ts'
import { checkWhy } from './optionChecks.ts'

const minuteMs = 60_000
const most = mostMutedMs / minuteMs

export const alertWork = {
  async mute({ database, world }, { minutes = '', why = '' }) {
    const count = /^[1-9][0-9]?$/.test(minutes) ? Number(minutes) : undefined
    if (count === undefined || count > most)
      return refuse(`--minutes must be a number from 1 to ${most}: a mute ends by itself within the hour.`)
    const said = checkWhy({ why })
    if (!said.ok) return refuse(`--${said.message}.`)
    const asked = { forMs: count * minuteMs, why: said.value.why }
    const muted = await muteAlerts({ database, world }, asked)
    if (!muted.ok) {
      const left = Math.floor(muted.leftMs / minuteMs)
      const again = new Date(muted.againMs).toISOString()
      return refuse(
        `Alerts are muted for ${most} min at most, with the mute before: ${left === 0 ? 'no minute is' : `${counted(left, 'minute')} ${left === 1 ? 'is' : 'are'}`} left. Another mute can begin 5 min after the end of that one, at ${again}, so that what is wrong is told in between.`,
      )
    }
    const { endsAt } = muted.mute
    const text = [
      `Nobody is told of alerts by mail until ${endsAt}. The dashboard shows them all the same, with your reason; mails about security go out.`,
      'What is wrong then is told at once. To end it sooner: "callgate alerts unmute". Rules of Prometheus have silences of their own.',
    ].join('\n')
    return { ok: true, json: { mute: muted.mute }, text }
  },
  async unmute({ database, world }) {
    const mute = await unmuteAlerts({ database, world })
    if (!mute) return refuse('Alerts are not muted.')
    const text = 'Alerts are told again. A running serve tells within half a minute what is wrong now.'
    return { ok: true, json: { isMuted: false }, text }
  },
} satisfies Record<string, CommandWork>
