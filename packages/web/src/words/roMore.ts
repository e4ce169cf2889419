// Romanian: the texts of the pages of a signed-in user.

import { account } from './ro/account.ts'
import { alerts } from './ro/alerts.ts'
import { calibration } from './ro/calibration.ts'
import { claims } from './ro/claims.ts'
import { confirm } from './ro/confirm.ts'
import { firstSteps } from './ro/firstSteps.ts'
import { gate } from './ro/gate.ts'
import { gates } from './ro/gates.ts'
import { gateways } from './ro/gateways.ts'
import { history } from './ro/history.ts'
import { line } from './ro/line.ts'
import { member } from './ro/member.ts'
import { members } from './ro/members.ts'
import { openings } from './ro/openings.ts'
import { refusals } from './ro/refusals.ts'
import { schedule } from './ro/schedule.ts'
import { settings } from './ro/settings.ts'
import { space } from './ro/space.ts'
import type { MoreWords } from './words.tsx'

export const roMore: MoreWords = {
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
