// The tasks that the modem carries out.

import type { Modem } from '@callgate/modem/modem'
import type { TaskRunners } from './tasks.ts'

/** Runners over this modem. None of them dials. */
export function modemTasks(modem: Pick<Modem, 'ussd'>): TaskRunners {
  return {
    async ussd({ code }, cancelled) {
      const result = await modem.ussd(code, cancelled)
      if (result.ok) return { state: 'done', answer: { text: result.text, isMenu: result.isMenu } }
      const { detail, reason } = result
      const isInTheWay = reason === 'modem_busy' || reason === 'cancelled'
      return {
        state: 'not_done',
        reason: isInTheWay ? 'openings_first' : reason,
        ...(detail !== undefined && { detail }),
      }
    },
  }
}
