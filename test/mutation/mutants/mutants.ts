// The list of all mutants.

import { backgroundMutants } from './backgroundMutants.ts'
import { bootMutants } from './bootMutants.ts'
import { cloudMutants } from './cloudMutants.ts'
import { effectMutants } from './effectMutants.ts'
import { enrolmentMutants } from './enrolmentMutants.ts'
import { eventMutants } from './eventMutants.ts'
import { gatewayMutants } from './gatewayMutants.ts'
import { guestMutants } from './guestMutants.ts'
import { houseMutants } from './houseMutants.ts'
import { lockDownMutants } from './lockDownMutants.ts'
import type { Mutant } from './mutant.ts'
import { replicaMutants } from './replicaMutants.ts'
import { sandboxMutants } from './sandboxMutants.ts'
import { sightMutants } from './sightMutants.ts'
import { simCardMutants } from './simCardMutants.ts'
import { updateMutants } from './updateMutants.ts'
import { webhookMutants } from './webhookMutants.ts'
import { wireMutants } from './wireMutants.ts'

export const mutants: readonly Mutant[] = [
  ...cloudMutants,
  ...lockDownMutants,
  ...bootMutants,
  ...gatewayMutants,
  ...enrolmentMutants,
  ...guestMutants,
  ...wireMutants,
  ...effectMutants,
  ...houseMutants,
  ...eventMutants,
  ...replicaMutants,
  ...updateMutants,
  ...backgroundMutants,
  ...simCardMutants,
  ...sandboxMutants,
  ...webhookMutants,
  ...sightMutants,
]
