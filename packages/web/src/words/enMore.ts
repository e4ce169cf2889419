// English: the texts of the pages of a signed-in user, by the page or part that shows them.

import { account } from './en/account.ts'
import { alerts } from './en/alerts.ts'
import { calibration } from './en/calibration.ts'
import { claims } from './en/claims.ts'
import { confirm } from './en/confirm.ts'
import { firstSteps } from './en/firstSteps.ts'
import { gate } from './en/gate.ts'
import { gates } from './en/gates.ts'
import { gateways } from './en/gateways.ts'
import { history } from './en/history.ts'
import { line } from './en/line.ts'
import { member } from './en/member.ts'
import { members } from './en/members.ts'
import { openings } from './en/openings.ts'
import { refusals } from './en/refusals.ts'
import { schedule } from './en/schedule.ts'
import { settings } from './en/settings.ts'
import { space } from './en/space.ts'

export const enMore = {
  account,
  alerts,
  calibration,
  claims,
  confirm,
  firstSteps,
  gate,
  gates,
  gateways,
  history,
  line,
  member,
  members,
  openings,
  refusals,
  schedule,
  settings,
  space,
}
