// Romanian: the refusals about webhooks.

import type { Refusals } from '../en/refusals.ts'
import { count } from './counted.ts'

export const webhookRefusals: Pick<
  Refusals,
  | 'webhook_stopped'
  | 'webhook_limit'
  | 'webhook_not_https'
  | 'webhook_no_name'
  | 'webhook_own_host'
  | 'webhook_port'
> = {
  webhook_stopped: () => 'Acestui webhook nu i se trimite nimic acum: este oprit. Pornește-l mai întâi.',
  webhook_limit: ({ limit, used }) =>
    `Acest spațiu poate avea ${count(limit, 'un webhook', 'webhook-uri')}, iar în folosință ${used === 1 ? 'este unul' : `sunt ${used}`}; limita nu se reînnoiește. Șterge unul nefolosit sau cere o limită mai mare.`,
  webhook_not_https: () =>
    'Adresa trebuie să înceapă cu https:// și să nu aibă utilizator, parolă sau o parte după #.',
  webhook_no_name: () =>
    'Adresa trebuie să numească serverul cu un nume public, ca desk.example.com, nu cu un număr și nici cu un nume din rețeaua locală.',
  webhook_own_host: () => 'Adresa nu poate duce chiar la acest serviciu.',
  webhook_port: ({ allowed }) => `Adresa poate avea doar unul dintre porturile ${allowed}.`,
}
