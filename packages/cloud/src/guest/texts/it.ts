// The guest's page in Italian.

import type { Texts } from './texts.ts'

export const it: Texts = {
  name: 'Italiano',
  title: 'Apri un cancello',
  open: 'Apri {gate}',
  noGates: 'Al momento non c’è nessun cancello che puoi aprire. Chiedi a chi ti ha dato questo link.',
  next: 'Prossima apertura possibile: {time}',
  calling: 'Chiamata al cancello in corso…',
  ringing: 'Il cancello sta squillando…',
  joined: 'Il cancello viene già chiamato…',
  back: 'Torna ai cancelli',
  language: 'Lingua',
  reference: 'Riferimento',
  contact: 'Se hai bisogno di aiuto',
  again: 'Non è stato aperto nulla: la pagina era troppo vecchia. Premi di nuovo.',
  tooMany: 'Hai premuto troppe volte. Aspetta {seconds} s, poi premi di nuovo.',
  deadLink: 'Questo link non funziona. Chiedine uno nuovo a chi te l’ha mandato.',
  fault: 'Qualcosa è andato storto. Guarda il cancello; se non si muove, riprova tra un minuto.',
  outcomes: {
    done: [
      'Il cancello è stato chiamato e dovrebbe aprirsi.',
      'Se non si muove, aspetta 10 secondi e riprova.',
    ],
    notCalled: [
      'Il cancello non è stato chiamato: il suo dispositivo non è pronto.',
      'Riprova tra un minuto.',
    ],
    outside: [
      'Il tuo accesso non permette di aprire a quest’ora.',
      'Se ti servono altri orari, chiedi a chi ti ha dato questo link.',
    ],
    used: [
      'Il tuo accesso è stato usato tutte le volte consentite.',
      'Se te ne serve di più, chiedi a chi ti ha dato questo link.',
    ],
    noAccess: ['Non hai più accesso a questo cancello.', 'Chiedi a chi ti ha dato questo link.'],
    off: ['Questo cancello è disattivato.', 'Chiedi a chi ti ha dato questo link.'],
    busy: ['La linea del cancello è occupata.', 'Riprova tra 10 secondi.'],
    noReaction: [
      'Il cancello non ha reagito alla chiamata.',
      'Se non si muove, riprova tra 20 secondi. Se non basta, chiama chi ti ha dato questo link.',
    ],
    unknown: [
      'Non si sa se il cancello si è aperto.',
      'Guarda il cancello. Se non si muove, riprova tra un minuto.',
    ],
  },
}
