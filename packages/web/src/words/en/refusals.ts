// English: the refusals of the cloud, each known by its name. Its own message is English already, so there is nothing to add.

import type { RefusalName, RefusalValues } from '@callgate/contract/app/refusals'

/** The text of each refusal, from what the cloud told of it. */
export type Refusals = { readonly [Name in RefusalName]: (values: RefusalValues<Name>) => string }

export const refusals: Refusals | undefined = undefined
