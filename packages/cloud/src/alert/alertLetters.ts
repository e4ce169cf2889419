// Composes a mail about incidents when it is sent: its addressee, and the state of the incidents at that time.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { IncidentKind } from '@callgate/contract/app/incidentKinds'
import type { Db } from '../database/database.ts'
import type { ToldIncident } from '../mail/alertLetter.ts'
import type { Addressee } from '../mail/mailDelivery.ts'
import { type IncidentRow, targetNames } from './incidentRows.ts'
import type { AlertMailRow } from './notifications.ts'

const pathOf: Readonly<Record<IncidentKind, string>> = {
  gateway_offline: dashboardPaths.gateway,
  signal_low: dashboardPaths.gateway,
  supply_low: dashboardPaths.gateway,
  sim_card: dashboardPaths.gateway,
  gate_not_reacting: dashboardPaths.gate,
  gate_drifted: dashboardPaths.gate,
  mail_failing: dashboardPaths.alerts,
  webhook_stopped: dashboardPaths.webhooks,
}

/** The page of the dashboard that shows the subject of a mail. */
function pageOf({ kind, spaceId }: AlertMailRow, incident: IncidentRow | undefined): string {
  const path = kind === 'digest' || !incident ? dashboardPaths.alerts : pathOf[incident.kind]
  return path.replace(':spaceId', spaceId).replace(/:(gatewayId|gateId)/, incident?.targetId ?? '')
}

const none = (why: string): Addressee => ({ ok: false, why })

/** The addressee and the text of the mail `id`. */
export async function readAlertAddressee(
  { appUrl, knex }: { readonly knex: Db; readonly appUrl: string },
  id: string,
): Promise<Addressee> {
  const mail = await knex<AlertMailRow>('alertMails').where({ id }).first()
  if (!mail) return none('what it is about is forgotten')
  const { kind, spaceId, userId } = mail
  const user = await knex('userRoles as role')
    .join('users as user', 'user.id', 'role.userId')
    .join('spaces as space', 'space.id', 'role.spaceId')
    .where({ userId, spaceId, getsAlerts: true, deactivatedAt: null })
    .first('email', 'user.name', 'user.language', 'space.name as spaceName', 'timezone')
  if (!user) return none('the user is not told of incidents any more')
  const ids = JSON.parse(mail.incidentIds) as readonly string[]
  const rows: IncidentRow[] = await knex<IncidentRow>('incidents')
    .where({ spaceId })
    .whereIn('id', ids)
    .orderBy(['openedAt', 'id'])
  const [first] = rows
  if (!first) return none('what it is about is forgotten')
  if (kind === 'opened' && first.closedAt !== null) return none('the incident is over')
  const names = await targetNames(knex, rows)
  const incidents: readonly ToldIncident[] = rows.map(row => ({
    kind: row.kind,
    name: names.get(row.targetId) ?? '',
    seenMs: Date.parse(row.seenAt),
    closedMs: row.closedAt === null ? undefined : Date.parse(row.closedAt),
    figure: row.figure,
  }))
  const { email, language, name, spaceName, timezone } = user
  const link = appUrl + pageOf(mail, first)
  const facts = {
    kind: 'alert',
    isDigest: kind === 'digest',
    language,
    link,
    memberName: name,
    spaceName,
  } as const
  return { ok: true, address: email, facts: { ...facts, timezone, incidents } }
}
