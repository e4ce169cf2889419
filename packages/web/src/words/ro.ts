// Romanian: every text of the dashboard.

import { account } from './ro/account.ts'
import { activity } from './ro/activity.ts'
import { alerts } from './ro/alerts.ts'
import { calibration } from './ro/calibration.ts'
import { confirm } from './ro/confirm.ts'
import { enrolment } from './ro/enrolment.ts'
import { firstSteps } from './ro/firstSteps.ts'
import { forgotten } from './ro/forgotten.ts'
import { form } from './ro/form.ts'
import { frame } from './ro/frame.ts'
import { gate } from './ro/gate.ts'
import { gates } from './ro/gates.ts'
import { gateways } from './ro/gateways.ts'
import { history } from './ro/history.ts'
import { invitation } from './ro/invitation.ts'
import { keys } from './ro/keys.ts'
import { letIn } from './ro/letIn.ts'
import { line } from './ro/line.ts'
import { member } from './ro/member.ts'
import { members } from './ro/members.ts'
import { openings } from './ro/openings.ts'
import { problems } from './ro/problems.ts'
import { refusals } from './ro/refusals.ts'
import { schedule } from './ro/schedule.ts'
import { settings } from './ro/settings.ts'
import { signIn } from './ro/signIn.ts'
import { sim } from './ro/sim.ts'
import { space } from './ro/space.ts'
import { updates } from './ro/updates.ts'
import { users } from './ro/users.ts'
import type { Words } from './words.tsx'

export const ro: Words = {
  locale: 'ro-RO',
  account,
  activity,
  alerts,
  calibration,
  confirm,
  enrolment,
  firstSteps,
  form,
  forgotten,
  frame,
  gate,
  gates,
  gateways,
  history,
  invitation,
  keys,
  letIn,
  line,
  member,
  members,
  openings,
  problems,
  refusals,
  schedule,
  settings,
  signIn,
  sim,
  space,
  updates,
  users,
}
