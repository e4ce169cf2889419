// Every planted bug.

import { gatewayBugs } from './gatewayBugs.ts'
import type { PlantedBug } from './plant.ts'

export const bugs: readonly PlantedBug[] = [...gatewayBugs]
