// Italian: the mails on incidents.

import type { AlertWording } from '../alertWording.ts'

export const it: AlertWording = {
  goOn: { one: '{count} problema La attende', other: '{count} problemi La attendono' },
  areOver: { other: '{count} problemi sono terminati' },
  since: 'Inizio: {time}.',
  lasted: 'Problema: {time}.',
  more: 'Il pannello mostra il resto.',
  button: 'Apri il pannello',
  why: 'Riceve questo messaggio perché viene avvisato dei guasti di {space}. Può disattivarlo nel Suo account, nel pannello.',
  kinds: {
    gateway_offline: {
      begun: 'Il gateway {name} è offline',
      over: 'Il gateway {name} è di nuovo online',
      means: 'Finché non torna, non apre nessun cancello.',
      check:
        'Che cosa controllare: ha corrente? Le sue luci sono accese? La sua rete funziona? Se sì, gli tolga e ridia la corrente.',
    },
    gate_not_reacting: {
      begun: 'Il cancello non reagisce: {name}',
      over: 'Il cancello reagisce di nuovo: {name}',
      means: 'Tre chiamate di fila hanno squillato e il cancello non ha fatto nulla.',
      check:
        'Che cosa controllare: il modulo del cancello ha corrente? Conosce il numero del gateway? Sono cambiati la sua SIM o il suo numero?',
    },
    gate_drifted: {
      begun: 'Le chiamate non corrispondono più al cancello {name}',
      over: 'Le chiamate corrispondono di nuovo al cancello {name}',
      means:
        'Le sue chiamate vanno diversamente da quando è stato calibrato. Ciò che si dice delle aperture può essere sbagliato.',
      check:
        'Che cosa controllare: sono cambiati il suo modulo, la SIM al suo interno o un’impostazione? Risponde una segreteria? Se il cancello è a posto, lo calibri di nuovo nella sua pagina.',
    },
    signal_low: {
      begun: 'Il gateway {name} ha un segnale debole',
      over: 'Il gateway {name} ha di nuovo un buon segnale',
      means: 'Le chiamate potrebbero non passare, e allora i cancelli restano chiusi.',
      check: 'Che cosa controllare: l’antenna è avvitata? È all’esterno o abbastanza in alto?',
    },
    supply_low: {
      begun: 'L’alimentazione del gateway {name} è debole',
      over: 'L’alimentazione del gateway {name} è di nuovo buona',
      means: 'Il suo modem può fermarsi nel mezzo di una chiamata.',
      check: 'Che cosa fare: usi un alimentatore da 2 A, vicino al modem, con fili corti.',
    },
    sim_card: {
      begun: 'La scheda SIM del gateway {name} va controllata',
      over: 'La scheda SIM del gateway {name} è di nuovo a posto',
      means:
        'Resta poco credito, oppure il suo ultimo giorno è vicino o passato. Senza di essa il gateway non chiama nessun cancello.',
      check:
        'Che cosa controllare: la pagina del gateway mostra il credito e l’ultimo giorno. Ricarichi la scheda, la prolunghi o la cambi.',
    },
    webhook_stopped: {
      begun: 'Nessun evento va più a {name}',
      over: 'Gli eventi vanno di nuovo a {name}',
      means: 'Il webhook è spento: ha risposto 410, o nulla lo ha raggiunto per cinque giorni.',
      check:
        'Che cosa controllare: il programma che li riceve funziona? La pagina dei webhook mostra gli ultimi tentativi. Lo riaccenda lì.',
    },
    mail_failing: {
      begun: 'Alcune e-mail non arrivano',
      over: 'Le e-mail arrivano di nuovo',
      means: 'Almeno un’e-mail ai Suoi membri o utenti non è stata inviata.',
      check:
        'Che cosa controllare: l’indirizzo è giusto? La pagina del membro dice perché l’e-mail non è partita. Se riguarda tutte le e-mail, avvisi chi gestisce questo Callgate.',
    },
  },
}
