// Romanian: the page where a person signs in.

import type { Words } from '../words.tsx'

export const signIn: Words['signIn'] = {
  title: 'Intră în cont',
  intro: 'În panoul spațiului tău.',
  email: 'E-mail',
  password: 'Parolă',
  show: 'Arată parola',
  signIn: 'Intră',
  signingIn: 'Se intră…',
  guest: 'Ești musafir? Poarta ta se deschide cu linkul pe care l-ai primit; nu ai unde să intri în cont.',
  invited: 'Nimeni nu își face cont aici: te invită un proprietar.',
  ended: 'Sesiunea ta s-a încheiat',
  endedWhy: 'Intră din nou ca să continui. Ce ai scris este încă aici.',
  emailMissing: 'Scrie adresa ta de e-mail.',
  passwordMissing: 'Scrie parola ta.',
  wrong: 'E-mailul sau parola nu este corectă.',
  wait: seconds => `Prea multe încercări. Așteaptă ${seconds} s, apoi încearcă din nou.`,
  noAnswer: 'Serverul nu a răspuns. Nu s-a schimbat nimic; încearcă din nou.',
  seconds: count => `${count} s`,
  phases: {
    asked: ['Cerut', 'O apăsare, un link sau o cheie'],
    calling: ['Apelează', 'Gateway-ul tău formează numărul'],
    ringing: ['Sună', 'Poarta vede un număr cunoscut'],
    taken: ['Preluat', 'Preia apelul și se deschide'],
  },
}
