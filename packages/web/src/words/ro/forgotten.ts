// Romanian: a forgotten password.

import type { Words } from '../words.tsx'

export const forgotten: Words['forgotten'] = {
  title: 'Ai uitat parola?',
  intro: 'Îți trimitem un link cu care setezi una nouă.',
  send: 'Trimite linkul',
  sending: 'Se trimite…',
  badEmail: 'Aceasta nu este o adresă de e-mail.',
  asked: 'Verifică e-mailul',
  askedWhy: email =>
    `Dacă ${email} are cont aici, un mesaj este pe drum. Linkul din el merge o singură dată, timp de o oră.`,
  toSignIn: 'Înapoi la intrare',
  dead: 'Acest link nu merge',
  deadWhy: 'A fost folosit sau este mai vechi de o oră. Nu s-a schimbat nimic.',
  askAgain: 'Cere un link nou',
  newTitle: 'Setează o parolă nouă',
  newIntro: 'Toate sesiunile tale se încheie, pe orice dispozitiv.',
  newPassword: 'Parola nouă',
  rule: least => `Cel puțin ${least} caractere. O propoziție se ține minte ușor.`,
  set: 'Setează parola',
  setting: 'Se setează…',
  done: 'Parola este setată',
  doneWhy: 'Intră acum cu ea.',
}
