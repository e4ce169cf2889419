// English: the refusals of the cloud by their names; the cloud's message is English already, so nothing is added.

import type { RefusalName, RefusalValues } from '@callgate/contract/app/refusals'

/** The text of each refusal, from its details. */
export type Refusals = { readonly [Name in RefusalName]: (values: RefusalValues<Name>) => string }

export const refusals: Refusals | undefined = undefined
