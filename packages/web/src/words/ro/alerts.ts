// Romanian: the alerts, at the top of other pages and on their own, and who is told of them.

import type { Words } from '../words.tsx'
import { count as counted } from './counted.ts'

export const alerts: Words['alerts'] = {
  kinds: {
    gateway_offline: {
      begun: name => `${name} este offline`,
      over: name => `${name} a fost offline`,
      check: 'Poate nu are curent sau rețea: uită-te la LED-urile de pe el.',
    },
    gate_not_reacting: {
      begun: name => `${name} nu reacționează`,
      over: name => `${name} nu a reacționat`,
      check:
        'A sunat de trei ori și nu a făcut nimic. Modulul ei are curent și cunoaște numărul gateway-ului?',
    },
    gate_drifted: {
      begun: name => `Apelurile nu se mai potrivesc cu ${name}`,
      over: name => `Apelurile nu s-au potrivit cu ${name}`,
      check:
        'Decurg altfel decât la calibrare. I s-au schimbat modulul, cartela SIM sau o setare? Dacă este în regulă, calibreaz-o din nou.',
    },
    signal_low: {
      begun: name => `${name} are semnal slab`,
      over: name => `${name} a avut semnal slab`,
      check: 'Apelurile pot să nu ajungă. Pune antena afară sau mai sus.',
    },
    supply_low: {
      begun: name => `Alimentarea este slabă: ${name}`,
      over: name => `Alimentarea a fost slabă: ${name}`,
      check: 'Modemul lui se poate opri într-un apel. Folosește o sursă de 2\u00a0A, aproape de modem.',
    },
    sim_card: {
      begun: name => `Cartela SIM trebuie verificată la ${name}`,
      over: name => `Cartela SIM a trebuit verificată la ${name}`,
      check:
        'A rămas puțin credit pe ea, sau ultima ei zi este aproape ori a trecut. Reîncarc-o, prelungește-o sau schimb-o.',
    },
    webhook_stopped: {
      begun: name => `Evenimentele nu mai ajung la ${name}`,
      over: name => `Evenimentele nu au ajuns la ${name}`,
      check:
        'Webhook-ul este oprit: a răspuns 410, sau nimic nu a ajuns la el timp de cinci zile. Vezi ultimele încercări și pornește-l din nou.',
    },
    mail_failing: {
      begun: () => 'Unele mailuri nu ajung',
      over: () => 'Unele mailuri nu au ajuns',
      check:
        'Pagina fiecărui membru spune de ce nu a plecat un mail: verifică adresa. Dacă este vorba de toate, anunță cine administrează acest Callgate.',
    },
  },
  says: count =>
    count === 0
      ? 'Nicio alertă nu este deschisă.'
      : count === 1
        ? 'O alertă este deschisă.'
        : `${counted(count, '', 'alerte')} sunt deschise.`,
  open: 'Alerte deschise',
  since: when => `De la ${when}.`,
  look: 'Vezi',
  more: count => (count === 1 ? 'Și încă o alertă' : `Și încă ${counted(count, '', 'alerte')}`),
  past: 'Alerte trecute',
  what: 'Alertele',
  columns: { time: 'Început', result: 'Ce nu mergea', took: 'Durata' },
  whatShows: 'Ce deschide o alertă',
  nothingWhy:
    'Când un gateway este offline cinci minute, o poartă nu reacționează de trei ori, apelurile ei nu se mai potrivesc cu calibrarea, un semnal sau o alimentare este slabă zece minute, ori mailurile nu ajung, apare aici.',
  nothingPast: 'Nimic în ultimele 90 de zile.',
  choices: {
    title: 'Alerte',
    says: 'Cine primește un mail când ceva nu merge și când merge din nou. Pagina Alerte le arată tuturor utilizatorilor.',
    list: 'Cine este anunțat prin mail',
    own: 'Anunță-mă prin mail',
    ownWhy: 'Numai tu și proprietarii spațiului pot schimba aceasta.',
    of: name => `Anunță prin mail: ${name}`,
    accountTitle: 'Alerte prin mail',
    accountSays: 'În ce spații primești un mail când ceva nu merge.',
    nobody: 'Nimeni nu este anunțat prin mail. Panoul arată alertele oricum.',
    notSaved: 'Nesalvat.',
    noAnswer: 'Serverul nu a răspuns. Nu se știe dacă s-a salvat.',
  },
}
