// Romanian: the page where a person signs in.

import type { Words } from '../words.tsx'

export const signIn: Words['signIn'] = {
  title: 'Intră în cont',
  intro: 'În panoul spațiului tău.',
  email: 'E-mail',
  password: 'Parolă',
  show: 'Arată parola',
  signIn: 'Intră',
  signingIn: 'Se verifică…',
  guest: 'Ești oaspete? Poarta ta se deschide cu linkul pe care l-ai primit; nu ai unde să intri în cont.',
  forgotten: 'Ai uitat-o?',
  code: 'Cod',
  codeHint: 'Cele șase cifre din aplicația ta sau un cod de recuperare.',
  codeMissing: 'Scrie codul.',
  wrongCode: 'Codul nu este corect sau a fost deja folosit. După cinci minute, ia-o de la început.',
  again: 'Ia-o de la început',
  byPasskey: 'Intră cu o cheie de acces',
  askingPasskey: 'Se cere cheia de acces…',
  noPasskey: 'Nu a fost dată nicio cheie de acces.',
  wrongPasskey: 'Cu această cheie de acces nu intră nimeni aici.',
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
