// The texts of the page of webhooks. They arrive with that page and not with a first visit, since few visits go there.

import { webhooks as english } from '../words/en/webhooks.ts'
import { inLanguage } from '../words/inLanguage.ts'
import { webhooks as romanian } from '../words/ro/webhooks.ts'

export type WebhookTexts = typeof english

/** The texts about webhooks in the language of the other texts. */
export const webhookTexts = inLanguage(english, romanian)
