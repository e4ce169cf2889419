// Romanian: the text of each refusal of the cloud; one with a field or a figure ends with the cloud's own text, in English.

import type { Words } from '../words.tsx'

export const problems: Words['problems'] = {
  network_error: () =>
    'Serverul nu a răspuns. Nu se știe dacă s-a făcut; verifică înainte să încerci din nou.',
  unavailable: (_, waitS) =>
    `Serverul nu poate primi asta acum; nu s-a făcut nimic. Încearcă din nou peste ${waitS} s.`,
  proxy_failed: status =>
    status === '504'
      ? 'Proxy-ul din fața serverului l-a așteptat prea mult (504). Nu se știe dacă s-a făcut; verifică înainte să încerci din nou.'
      : `Proxy-ul din fața serverului nu a ajuns la el (${status}). Nu se știe dacă s-a făcut; verifică înainte să încerci din nou.`,
  proxy_too_large: () =>
    'Proxy-ul din fața serverului nu primește atât de mult odată (413). Nu s-a făcut nimic. Cine se ocupă de server poate ridica limita.',
  validation_error: message => `Serverul nu acceptă ce ai scris: ${message}`,
  unauthorized: () => 'Nu mai ești în cont. Intră din nou.',
  insufficient_scope: () => 'Aici acest lucru nu este permis.',
  insufficient_role: () => 'Numai un proprietar al acestui spațiu poate face asta.',
  plan_upgrade_required: () => 'Planul acestui spațiu nu include asta.',
  plan_limit_reached: () => 'O limită a planului este atinsă. Pagina planului arată care.',
  not_found: () => 'Acest lucru nu mai există.',
  method_not_allowed: () => 'Pagina este veche. Încarc-o din nou.',
  conflict: message => `Acum nu se poate: ${message}`,
  precondition_failed: () => 'Altcineva a schimbat asta între timp. Citește din nou mai întâi.',
  payload_too_large: () => 'Ce ai trimis este prea mare.',
  unsupported_media_type: () => 'Pagina este veche. Încarc-o din nou.',
  idempotency_mismatch: () => 'Asta s-a mai trimis o dată, cu alt conținut. Încarcă pagina din nou.',
  rate_limited: (_, waitS) => `Prea multe cereri. Așteaptă ${waitS} s, apoi încearcă din nou.`,
  internal_error: () =>
    'Serverul are o defecțiune. Nu se știe dacă s-a făcut; verifică înainte să încerci din nou.',
  open_failed: message => `Poarta nu s-a deschis sau nu se știe: ${message}`,
  confirmation_required: () => 'Trebuie să spui din nou cine ești, cu parola sau cu o cheie de acces.',
  second_factor_needed: () => 'Este nevoie și de codul aplicației tale.',
  wrong_password: () => 'Aceasta nu este parola ta.',
  csrf_refused: () => 'Pagina este veche. Încarc-o din nou.',
}
