// English: every text of the dashboard, by the page or part that shows it.

import { account } from './en/account.ts'
import { activity } from './en/activity.ts'
import { alerts } from './en/alerts.ts'
import { calibration } from './en/calibration.ts'
import { confirm } from './en/confirm.ts'
import { enrolment } from './en/enrolment.ts'
import { firstSteps } from './en/firstSteps.ts'
import { forgotten } from './en/forgotten.ts'
import { form } from './en/form.ts'
import { frame } from './en/frame.ts'
import { gate } from './en/gate.ts'
import { gates } from './en/gates.ts'
import { gateways } from './en/gateways.ts'
import { history } from './en/history.ts'
import { invitation } from './en/invitation.ts'
import { keys } from './en/keys.ts'
import { letIn } from './en/letIn.ts'
import { line } from './en/line.ts'
import { member } from './en/member.ts'
import { members } from './en/members.ts'
import { openings } from './en/openings.ts'
import { problems } from './en/problems.ts'
import { refusals } from './en/refusals.ts'
import { schedule } from './en/schedule.ts'
import { settings } from './en/settings.ts'
import { signIn } from './en/signIn.ts'
import { sim } from './en/sim.ts'
import { space } from './en/space.ts'
import { updates } from './en/updates.ts'
import { users } from './en/users.ts'

export const en = {
  locale: 'en-GB',
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
