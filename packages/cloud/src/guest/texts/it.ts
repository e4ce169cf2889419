// The guest's page in Italian.

import type { Texts } from './texts.ts'

export const it: Texts = {
  name: 'Italiano',
  title: 'Aprire un cancello',
  open: 'Apri',
  unit: 's',
  usually: 'di solito {seconds} s',
  usuallyInAll: 'di solito {seconds} s in tutto',
  until: 'Può aprire fino alle {time}',
  dayTime: '{time} {day}',
  left: 'Aperture rimaste: {left} su {most}',
  mayOpen: 'Può aprire dalle',
  inHours: 'tra {hours} h {minutes} min',
  inMinutes: 'tra {minutes} min',
  opens: 'Può aprire dalle {time}',
  hours: 'I Suoi orari',
  askHours: 'Altri orari: {name}',
  call: 'Chiama {name}',
  ask: 'Chieda a chi Le ha dato questo link.',
  steps: ['Richiesto', 'Chiamiamo il cancello', 'Il cancello squilla', 'Il cancello accetta la chiamata'],
  words: ['Richiesto', 'Chiamiamo', 'Squilla', 'Accettata'],
  joined: 'Si sta già chiamando il cancello; la Sua pressione si unisce a quella chiamata.',
  queue: {
    next: 'Si sta chiamando un altro cancello; il Suo è il prossimo, tra circa {seconds} s.',
    more: 'Si stanno chiamando altri cancelli; chiamate prima della Sua: {count}, circa {seconds} s.',
    late: 'Si stanno chiamando altri cancelli, e potrebbe volerci troppo. In tal caso il Suo non viene chiamato, e può premere di nuovo.',
  },
  pin: 'Mostra per primo su questo dispositivo',
  confirm: 'Si muoverà un cancello vero. Si metta dove può vederlo.',
  back: 'Indietro',
  again: 'Premi di nuovo',
  againIn: 'Premi di nuovo tra {seconds} s',
  moved: 'È aperto, o si muove',
  stands: 'È fermo: premi di nuovo',
  noted: 'Annotato: è aperto, o si muove',
  language: 'Lingua',
  reference: 'Riferimento {id}',
  closed: '{time}, dopo {seconds} s · riferimento {id}',
  closedJoined: '{time}, con una chiamata già in corso · riferimento {id}',
  endedOn: 'Scaduto il {date}',
  turn: 'Se il cancello si muove, una seconda chiamata può invertirne il movimento.',
  lookFirst: ['Guardi prima il cancello', 'Se è fermo, prema di nuovo.', 'Se non basta, telefoni.'],
  safe: 'Può premere di nuovo senza rischio',
  agains: {
    now: 'Non occorre aspettare.',
    tenSeconds: 'Forse la linea sarà libera tra circa 10 secondi.',
    moment: 'Forse funzionerà tra un momento.',
    minute: 'Forse funzionerà tra un minuto.',
    another: 'Allora chiamerà un altro dispositivo.',
  },
  offline: {
    state: 'Nessuna connessione',
    since: 'dalle {time}',
    said: [
      'Non è stato inviato nulla',
      'Una pressione non viene mai conservata per dopo. Vada dove c’è segnale, poi prema di nuovo.',
    ],
    button: 'Prova la connessione',
  },
  lost: {
    state: 'Verifica',
    since: 'richiesto {seconds} s fa',
    said: [
      'La connessione è caduta',
      'La pressione non viene inviata di nuovo. Questa pagina chiede che cosa ne è stato.',
    ],
    button: 'Controlla di nuovo',
  },
  expired: 'Non è stato aperto nulla: la pagina era troppo vecchia. Prema di nuovo.',
  late: 'Non è stato aperto nulla: la pressione è arrivata troppo tardi. Prema di nuovo.',
  unsent: 'Non è stato aperto nulla: la pressione non è arrivata. Prema di nuovo.',
  tooMany: 'Ha premuto troppe volte. Aspetti {seconds} s, poi prema di nuovo.',
  unsure: [
    'Guardi il cancello',
    'Il servizio si è riavviato, e non si sa se la pressione è arrivata. Prema di nuovo solo se il cancello è fermo.',
  ],
  noGates: [
    'Nessun cancello',
    'Al momento non c’è nessun cancello che può aprire. Chieda a chi Le ha dato questo link.',
  ],
  tooOften: ['Un momento', 'Questa pagina è stata caricata troppe volte. Si ricarica tra {seconds} s.'],
  deadLink: [
    'Questo link non funziona',
    'Forse è stato sostituito, o copiato in modo incompleto. Ne chieda uno nuovo a chi gliel’ha mandato.',
  ],
  noPage: [
    'Qui non c’è niente',
    'L’indirizzo è forse sbagliato o incompleto. Per aprire un cancello usi il link che ha ricevuto.',
  ],
  toStart: 'Alla pagina iniziale',
  notNow: ['Ora non è disponibile', 'Non è stato aperto nulla. Riprovi più tardi.'],
  fault: [
    'Qualcosa è andato storto',
    'Guardi il cancello. Se è fermo, torni indietro e prema di nuovo tra un minuto.',
  ],
  outcomes: {
    done: [
      'Il cancello ha accettato la chiamata',
      'Ora dovrebbe aprirsi. Se dopo 10 s è ancora fermo, prema di nuovo.',
    ],
    probably: [
      'Il cancello è stato chiamato',
      'Probabilmente si apre: con questo cancello la chiamata non lo dice con certezza. Se dopo 10 s è ancora fermo, prema di nuovo.',
    ],
    unknown: [
      'Guardi il cancello',
      'La chiamata non è finita come al solito. Da qui nessuno può sapere se il cancello si è aperto.',
    ],
    answered: [
      'Guardi il cancello',
      'Qualcosa ha risposto alla chiamata. Da qui nessuno può sapere se il cancello si è aperto. Se sì, lo dica a chi Le ha dato questo link.',
    ],
    noReaction: [
      'Il cancello non ha reagito',
      'Ha squillato e non ha accettato la chiamata. Molto probabilmente non si è mosso.',
    ],
    unreached: [
      'Il cancello non è stato raggiunto',
      'La chiamata non è arrivata. Molto probabilmente non si è mosso.',
    ],
    busy: ['La linea del cancello è occupata', 'La chiamata non è arrivata, quindi non si è mosso nulla.'],
    notCalled: [
      'Il cancello non è stato chiamato',
      'La Sua pressione non ha avviato nessuna chiamata, quindi non ha mosso nulla.',
    ],
    deviceFault: [
      'Il cancello non è stato chiamato',
      'Il suo dispositivo è guasto, quindi non si è mosso nulla. Avvisi chi Le ha dato questo link.',
    ],
    otherGateway: [
      'Il cancello non è stato raggiunto',
      'Il dispositivo che ha chiamato è guasto, quindi non si è mosso nulla.',
    ],
    noCredit: [
      'Il cancello non è stato raggiunto',
      'La scheda SIM del suo dispositivo non ha credito, quindi non si è mosso nulla. Avvisi chi Le ha dato questo link.',
    ],
    barred: [
      'Il cancello non è stato raggiunto',
      'L’operatore non lascia chiamare la scheda SIM del suo dispositivo, quindi non si è mosso nulla. Avvisi chi Le ha dato questo link.',
    ],
    wrongNumber: [
      'Il cancello non può essere chiamato',
      'Il suo numero ha un problema. Avvisi chi Le ha dato questo link.',
    ],
    outside: [
      'Fuori dai Suoi orari',
      'A quest’ora non può aprire questo cancello, quindi non è stato chiamato.',
    ],
    ended: ['Il Suo accesso è scaduto', 'Se Le serve ancora, chieda a chi Le ha dato questo link.'],
    used: [
      'Non ha più aperture',
      'Ha aperto questo cancello tutte le volte consentite. Chieda a chi Le ha dato questo link.',
    ],
    noAccess: ['Non ha accesso', 'Questo cancello non Le è più aperto. Chieda a chi Le ha dato questo link.'],
    lockedDown: [
      'Tutti i cancelli sono bloccati',
      'Un amministratore li ha bloccati per ora, quindi nessuno viene chiamato. Chieda a chi Le ha dato questo link.',
    ],
    off: [
      'Questo cancello è disattivato',
      'Al momento non viene chiamato. Chieda a chi Le ha dato questo link.',
    ],
  },
}
