// Every planted bug.

import { bootBugs } from './bootBugs.ts'
import { cloudBugs } from './cloudBugs.ts'
import { effectBugs } from './effectBugs.ts'
import { enrolmentBugs } from './enrolmentBugs.ts'
import { eventBugs } from './eventBugs.ts'
import { gatewayBugs } from './gatewayBugs.ts'
import { guestBugs } from './guestBugs.ts'
import { houseBugs } from './houseBugs.ts'
import { officeBugs } from './officeBugs.ts'
import type { PlantedBug } from './plantedBug.ts'
import { replicaBugs } from './replicaBugs.ts'
import { simCardBugs } from './simCardBugs.ts'
import { updateBugs } from './updateBugs.ts'
import { wireBugs } from './wireBugs.ts'

export const bugs: readonly PlantedBug[] = [
  ...cloudBugs,
  ...bootBugs,
  ...gatewayBugs,
  ...enrolmentBugs,
  ...guestBugs,
  ...wireBugs,
  ...effectBugs,
  ...houseBugs,
  ...eventBugs,
  ...replicaBugs,
  ...updateBugs,
  ...officeBugs,
  ...simCardBugs,
]
