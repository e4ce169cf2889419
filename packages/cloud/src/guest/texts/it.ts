// The guest's page in Italian.

import type { Texts } from './texts.ts'

export const it: Texts = {
  name: 'Italiano',
  title: 'Aprire un cancello',
  open: 'Apri {gate}',
  noGates: 'Al momento non c’è nessun cancello che può aprire. Chieda a chi Le ha dato questo link.',
  next: 'Prossima apertura possibile: {time}',
  calling: 'Chiamata al cancello in corso…',
  ringing: 'Il cancello sta squillando…',
  joined: 'Il cancello viene già chiamato…',
  back: 'Torna ai cancelli',
  language: 'Lingua',
  reference: 'Riferimento',
  contact: 'Se ha bisogno di aiuto',
  again: 'Non è stato aperto nulla: la pagina era troppo vecchia. Prema di nuovo.',
  tooMany: 'Ha premuto troppe volte. Aspetti {seconds} s, poi prema di nuovo.',
  tooOften: 'Questa pagina è stata caricata troppe volte. Aspetti {seconds} s, poi la ricarichi.',
  deadLink: 'Questo link non funziona. Ne chieda uno nuovo a chi gliel’ha mandato.',
  notNow: 'Questa pagina al momento non è disponibile. Non è stato aperto nulla. Riprovi più tardi.',
  fault: 'Qualcosa è andato storto. Guardi il cancello; se non si muove, riprovi tra un minuto.',
  outcomes: {
    done: [
      'Il cancello è stato chiamato e dovrebbe aprirsi.',
      'Se non si muove, aspetti 10 secondi e riprovi.',
    ],
    notCalled: [
      'Il cancello non è stato chiamato: il suo dispositivo non è pronto.',
      'Riprovi tra un minuto.',
    ],
    deviceFault: [
      'Il cancello non è stato chiamato: il suo dispositivo è guasto.',
      'Avvisi chi Le ha dato questo link.',
    ],
    outside: [
      'Il Suo accesso non permette di aprire a quest’ora.',
      'Se Le servono altri orari, chieda a chi Le ha dato questo link.',
    ],
    ended: [
      'Il Suo accesso a questo cancello è scaduto.',
      'Se Le serve ancora, chieda a chi Le ha dato questo link.',
    ],
    used: [
      'Il Suo accesso è stato usato tutte le volte consentite.',
      'Se gliene serve di più, chieda a chi Le ha dato questo link.',
    ],
    noAccess: ['Non ha più accesso a questo cancello.', 'Chieda a chi Le ha dato questo link.'],
    off: ['Questo cancello è disattivato.', 'Chieda a chi Le ha dato questo link.'],
    wrongNumber: [
      'Questo cancello non può essere chiamato al suo numero.',
      'Avvisi chi Le ha dato questo link.',
    ],
    busy: ['La linea del cancello è occupata.', 'Riprovi tra 10 secondi.'],
    noReaction: [
      'Il cancello non ha reagito alla chiamata.',
      'Se non si muove, riprovi tra 20 secondi. Se non basta, chiami chi Le ha dato questo link.',
    ],
    unknown: [
      'Non si sa se il cancello si è aperto.',
      'Guardi il cancello. Se non si muove, riprovi tra un minuto.',
    ],
    answered: [
      'Qualcosa ha risposto alla chiamata. Non si sa se il cancello si è aperto.',
      'Guardi il cancello. Se non si muove, riprovi tra un minuto. Se si è aperto, dica a chi Le ha dato questo link che il suo profilo di chiamata deve essere «answer_release».',
    ],
  },
}
