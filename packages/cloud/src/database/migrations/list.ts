// Every migration, oldest first: a list in place of a folder scan, so that a bundle has them too.

import type { Knex } from 'knex'
import { down as firstDown, up as firstUp } from './0001-first.ts'
import { down as membersDown, up as membersUp } from './0002-members.ts'
import { down as contactDown, up as contactUp } from './0003-contact.ts'
import { down as countriesDown, up as countriesUp } from './0004-countries.ts'
import { down as clocksDown, up as clocksUp } from './0005-clocks.ts'
import { down as bootsDown, up as bootsUp } from './0006-boots.ts'
import { down as mailsDown, up as mailsUp } from './0007-mails.ts'
import { down as backupDown, up as backupUp } from './0008-backup.ts'
import { down as filtersDown, up as filtersUp } from './0009-filters.ts'
import { down as usersDown, up as usersUp } from './0010-users.ts'
import { down as figuresDown, up as figuresUp } from './0011-figures.ts'
import { down as eventsDown, up as eventsUp } from './0012-events.ts'
import { down as guestsDown, up as guestsUp } from './0013-guests.ts'
import { down as keyUsesDown, up as keyUsesUp } from './0014-key-uses.ts'
import { down as invitationsDown, up as invitationsUp } from './0015-invitations.ts'
import { down as factorsDown, up as factorsUp } from './0016-factors.ts'
import { down as fewerWritesDown, up as fewerWritesUp } from './0017-fewer-writes.ts'
import { down as signingKeysDown, up as signingKeysUp } from './0018-signing-keys.ts'
import { down as shutOutDown, up as shutOutUp } from './0019-shut-out.ts'
import {
  down as replicasDown,
  readableFrom as replicasReadableFrom,
  up as replicasUp,
} from './0020-replicas.ts'
import { down as limitsDown, readableFrom as limitsReadableFrom, up as limitsUp } from './0021-limits.ts'
import { down as formsDown, readableFrom as formsReadableFrom, up as formsUp } from './0022-forms.ts'
import { down as erasureDown, readableFrom as erasureReadableFrom, up as erasureUp } from './0023-erasure.ts'
import {
  down as incidentsDown,
  readableFrom as incidentsReadableFrom,
  up as incidentsUp,
} from './0024-incidents.ts'
import {
  down as brokerPasswordsDown,
  readableFrom as brokerPasswordsReadableFrom,
  up as brokerPasswordsUp,
} from './0025-broker-passwords.ts'
import { down as cloudsDown, readableFrom as cloudsReadableFrom, up as cloudsUp } from './0026-clouds.ts'
import { down as keepingDown, readableFrom as keepingReadableFrom, up as keepingUp } from './0027-keeping.ts'
import {
  down as enrolmentsDown,
  readableFrom as enrolmentsReadableFrom,
  up as enrolmentsUp,
} from './0028-enrolments.ts'
import {
  down as grantSignaturesDown,
  readableFrom as grantSignaturesReadableFrom,
  up as grantSignaturesUp,
} from './0029-grant-signatures.ts'
import {
  down as gateCallersDown,
  readableFrom as gateCallersReadableFrom,
  up as gateCallersUp,
} from './0030-gate-callers.ts'
import {
  down as passwordChangesDown,
  readableFrom as passwordChangesReadableFrom,
  up as passwordChangesUp,
} from './0031-password-changes.ts'
import { down as tasksDown, readableFrom as tasksReadableFrom, up as tasksUp } from './0032-tasks.ts'
import {
  down as calibrationDown,
  readableFrom as calibrationReadableFrom,
  up as calibrationUp,
} from './0033-calibration.ts'
import { down as simsDown, readableFrom as simsReadableFrom, up as simsUp } from './0034-sims.ts'
import { down as driftsDown, readableFrom as driftsReadableFrom, up as driftsUp } from './0035-drifts.ts'
import {
  down as testCallsDown,
  readableFrom as testCallsReadableFrom,
  up as testCallsUp,
} from './0036-test-calls.ts'
import { down as updatesDown, readableFrom as updatesReadableFrom, up as updatesUp } from './0037-updates.ts'
import {
  down as mailLinksDown,
  readableFrom as mailLinksReadableFrom,
  up as mailLinksUp,
} from './0038-mail-links.ts'
import {
  down as updateCausesDown,
  readableFrom as updateCausesReadableFrom,
  up as updateCausesUp,
} from './0039-update-causes.ts'
import {
  down as wrongCodesDown,
  readableFrom as wrongCodesReadableFrom,
  up as wrongCodesUp,
} from './0040-wrong-codes.ts'
import {
  down as planLimitsDown,
  readableFrom as planLimitsReadableFrom,
  up as planLimitsUp,
} from './0041-plan-limits.ts'
import {
  down as numberLocksDown,
  readableFrom as numberLocksReadableFrom,
  up as numberLocksUp,
} from './0042-number-locks.ts'
import {
  down as servedTimeDown,
  readableFrom as servedTimeReadableFrom,
  up as servedTimeUp,
} from './0043-served-time.ts'
import { down as makersDown, readableFrom as makersReadableFrom, up as makersUp } from './0044-makers.ts'
import {
  down as oldProgramsDown,
  readableFrom as oldProgramsReadableFrom,
  up as oldProgramsUp,
} from './0045-old-programs.ts'
import {
  down as mailTurnsDown,
  readableFrom as mailTurnsReadableFrom,
  up as mailTurnsUp,
} from './0046-mail-turns.ts'
import {
  down as fewerIndexesDown,
  readableFrom as fewerIndexesReadableFrom,
  up as fewerIndexesUp,
} from './0047-fewer-indexes.ts'
import {
  down as integratorsDown,
  readableFrom as integratorsReadableFrom,
  up as integratorsUp,
} from './0048-integrators.ts'
import {
  down as webhooksDown,
  readableFrom as webhooksReadableFrom,
  up as webhooksUp,
} from './0049-webhooks.ts'
import {
  down as sandboxesDown,
  readableFrom as sandboxesReadableFrom,
  up as sandboxesUp,
} from './0050-sandboxes.ts'
import {
  down as accessTemplatesDown,
  readableFrom as accessTemplatesReadableFrom,
  up as accessTemplatesUp,
} from './0051-access-templates.ts'
import {
  down as operatorsDown,
  readableFrom as operatorsReadableFrom,
  up as operatorsUp,
} from './0052-operators.ts'
import {
  down as lockDownDown,
  readableFrom as lockDownReadableFrom,
  up as lockDownUp,
} from './0053-lock-down.ts'
import { down as pushesDown, readableFrom as pushesReadableFrom, up as pushesUp } from './0054-pushes.ts'
import {
  down as gatePhotosDown,
  readableFrom as gatePhotosReadableFrom,
  up as gatePhotosUp,
} from './0055-gate-photos.ts'

interface Migration extends Knex.Migration {
  /**
   * The last migration that a program must know to work with the tables after this one. Where the migration only widens, this is
   * an earlier one. Programs before 0020 do not check it.
   */
  readonly readableFrom?: string | undefined
}

/** Migrations by name, oldest first. */
export type Migrations = Readonly<Record<string, Migration>>

export const migrations: Migrations = {
  '0001-first': { up: firstUp, down: firstDown },
  '0002-members': { up: membersUp, down: membersDown },
  '0003-contact': { up: contactUp, down: contactDown },
  '0004-countries': { up: countriesUp, down: countriesDown },
  '0005-clocks': { up: clocksUp, down: clocksDown },
  '0006-boots': { up: bootsUp, down: bootsDown },
  '0007-mails': { up: mailsUp, down: mailsDown },
  '0008-backup': { up: backupUp, down: backupDown },
  '0009-filters': { up: filtersUp, down: filtersDown },
  '0010-users': { up: usersUp, down: usersDown },
  '0011-figures': { up: figuresUp, down: figuresDown },
  '0012-events': { up: eventsUp, down: eventsDown },
  '0013-guests': { up: guestsUp, down: guestsDown },
  '0014-key-uses': { up: keyUsesUp, down: keyUsesDown },
  '0015-invitations': { up: invitationsUp, down: invitationsDown },
  '0016-factors': { up: factorsUp, down: factorsDown },
  '0017-fewer-writes': { up: fewerWritesUp, down: fewerWritesDown },
  '0018-signing-keys': { up: signingKeysUp, down: signingKeysDown },
  '0019-shut-out': { up: shutOutUp, down: shutOutDown },
  '0020-replicas': { up: replicasUp, down: replicasDown, readableFrom: replicasReadableFrom },
  '0021-limits': { up: limitsUp, down: limitsDown, readableFrom: limitsReadableFrom },
  '0022-forms': { up: formsUp, down: formsDown, readableFrom: formsReadableFrom },
  '0023-erasure': { up: erasureUp, down: erasureDown, readableFrom: erasureReadableFrom },
  '0024-incidents': { up: incidentsUp, down: incidentsDown, readableFrom: incidentsReadableFrom },
  '0025-broker-passwords': {
    up: brokerPasswordsUp,
    down: brokerPasswordsDown,
    readableFrom: brokerPasswordsReadableFrom,
  },
  '0026-clouds': { up: cloudsUp, down: cloudsDown, readableFrom: cloudsReadableFrom },
  '0027-keeping': { up: keepingUp, down: keepingDown, readableFrom: keepingReadableFrom },
  '0028-enrolments': { up: enrolmentsUp, down: enrolmentsDown, readableFrom: enrolmentsReadableFrom },
  '0029-grant-signatures': {
    up: grantSignaturesUp,
    down: grantSignaturesDown,
    readableFrom: grantSignaturesReadableFrom,
  },
  '0030-gate-callers': { up: gateCallersUp, down: gateCallersDown, readableFrom: gateCallersReadableFrom },
  '0031-password-changes': {
    up: passwordChangesUp,
    down: passwordChangesDown,
    readableFrom: passwordChangesReadableFrom,
  },
  '0032-tasks': { up: tasksUp, down: tasksDown, readableFrom: tasksReadableFrom },
  '0033-calibration': { up: calibrationUp, down: calibrationDown, readableFrom: calibrationReadableFrom },
  '0034-sims': { up: simsUp, down: simsDown, readableFrom: simsReadableFrom },
  '0035-drifts': { up: driftsUp, down: driftsDown, readableFrom: driftsReadableFrom },
  '0036-test-calls': { up: testCallsUp, down: testCallsDown, readableFrom: testCallsReadableFrom },
  '0037-updates': { up: updatesUp, down: updatesDown, readableFrom: updatesReadableFrom },
  '0038-mail-links': { up: mailLinksUp, down: mailLinksDown, readableFrom: mailLinksReadableFrom },
  '0039-update-causes': {
    up: updateCausesUp,
    down: updateCausesDown,
    readableFrom: updateCausesReadableFrom,
  },
  '0040-wrong-codes': { up: wrongCodesUp, down: wrongCodesDown, readableFrom: wrongCodesReadableFrom },
  '0041-plan-limits': {
    up: planLimitsUp,
    down: planLimitsDown,
    readableFrom: planLimitsReadableFrom,
  },
  '0042-number-locks': {
    up: numberLocksUp,
    down: numberLocksDown,
    readableFrom: numberLocksReadableFrom,
  },
  '0043-served-time': { up: servedTimeUp, down: servedTimeDown, readableFrom: servedTimeReadableFrom },
  '0044-makers': { up: makersUp, down: makersDown, readableFrom: makersReadableFrom },
  '0045-old-programs': {
    up: oldProgramsUp,
    down: oldProgramsDown,
    readableFrom: oldProgramsReadableFrom,
  },
  '0046-mail-turns': { up: mailTurnsUp, down: mailTurnsDown, readableFrom: mailTurnsReadableFrom },
  '0047-fewer-indexes': {
    up: fewerIndexesUp,
    down: fewerIndexesDown,
    readableFrom: fewerIndexesReadableFrom,
  },
  '0048-integrators': {
    up: integratorsUp,
    down: integratorsDown,
    readableFrom: integratorsReadableFrom,
  },
  '0049-webhooks': { up: webhooksUp, down: webhooksDown, readableFrom: webhooksReadableFrom },
  '0050-sandboxes': { up: sandboxesUp, down: sandboxesDown, readableFrom: sandboxesReadableFrom },
  '0051-access-templates': {
    up: accessTemplatesUp,
    down: accessTemplatesDown,
    readableFrom: accessTemplatesReadableFrom,
  },
  '0052-operators': { up: operatorsUp, down: operatorsDown, readableFrom: operatorsReadableFrom },
  '0053-lock-down': { up: lockDownUp, down: lockDownDown, readableFrom: lockDownReadableFrom },
  '0054-pushes': { up: pushesUp, down: pushesDown, readableFrom: pushesReadableFrom },
  '0055-gate-photos': { up: gatePhotosUp, down: gatePhotosDown, readableFrom: gatePhotosReadableFrom },
}
