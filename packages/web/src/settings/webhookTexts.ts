// The texts of the page of webhooks. They arrive with that page and not with a first visit, since few visits go there.

import { webhooks as english } from '../words/en/webhooks.ts'
import { webhooks as romanian } from '../words/ro/webhooks.ts'
import type { Words } from '../words/words.tsx'

export type WebhookTexts = typeof english

/** The texts about webhooks in the language of the other texts. */
export const webhookTexts = ({ locale }: Pick<Words, 'locale'>): WebhookTexts =>
  locale.startsWith('ro') ? romanian : english
