// German: the mails on incidents.

import type { AlertWording } from '../alertWording.ts'

export const de: AlertWording = {
  goOn: { one: '{count} Störung wartet auf Sie', other: '{count} Störungen warten auf Sie' },
  areOver: { other: '{count} Störungen sind vorbei' },
  since: 'Seit dem {time}.',
  lasted: 'Störung: {time}.',
  more: 'Die Verwaltung zeigt den Rest.',
  button: 'Verwaltung öffnen',
  why: 'Sie erhalten diese Nachricht, weil Sie über Störungen von {space} benachrichtigt werden. In Ihrem Konto in der Verwaltung können Sie das abschalten.',
  kinds: {
    gateway_offline: {
      begun: 'Gateway {name} ist offline',
      over: 'Gateway {name} ist wieder online',
      means: 'Bis es wieder da ist, öffnet es kein Tor.',
      check:
        'Was Sie prüfen können: Hat es Strom? Leuchten seine Lampen? Funktioniert sein Netz? Wenn ja, schalten Sie seinen Strom aus und wieder ein.',
    },
    gate_not_reacting: {
      begun: 'Das Tor reagiert nicht: {name}',
      over: 'Das Tor reagiert wieder: {name}',
      means: 'Drei Anrufe hintereinander haben geklingelt, und das Tor hat nichts getan.',
      check:
        'Was Sie prüfen können: Hat das Modul am Tor Strom? Kennt es die Nummer des Gateways? Wurde seine SIM-Karte oder seine Nummer gewechselt?',
    },
    gate_drifted: {
      begun: 'Die Anrufe passen nicht mehr zum Tor {name}',
      over: 'Die Anrufe passen wieder zum Tor {name}',
      means:
        'Seine Anrufe verlaufen anders als bei der Kalibrierung. Was über Öffnungen gesagt wird, kann falsch sein.',
      check:
        'Was Sie prüfen können: Wurden sein Modul, dessen SIM-Karte oder eine Einstellung geändert? Nimmt eine Mailbox die Anrufe an? Wenn das Tor in Ordnung ist, kalibrieren Sie es auf seiner Seite neu.',
    },
    signal_low: {
      begun: 'Gateway {name} hat schwachen Empfang',
      over: 'Gateway {name} hat wieder guten Empfang',
      means: 'Anrufe kommen vielleicht nicht durch, und dann bleiben Tore geschlossen.',
      check: 'Was Sie prüfen können: Ist die Antenne festgeschraubt? Ist sie draußen oder hoch genug?',
    },
    supply_low: {
      begun: 'Die Stromversorgung ist zu schwach: Gateway {name}',
      over: 'Die Stromversorgung ist wieder gut: Gateway {name}',
      means: 'Das Modem kann mitten in einem Anruf ausfallen.',
      check: 'Was Sie tun können: Nehmen Sie ein Netzteil mit 2 A, nahe am Modem, mit kurzen Leitungen.',
    },
    sim_card: {
      begun: 'Die SIM-Karte braucht Sie: Gateway {name}',
      over: 'Die SIM-Karte ist wieder in Ordnung: Gateway {name}',
      means:
        'Das Guthaben ist fast aufgebraucht, oder ihr letzter Tag ist nah oder vorbei. Ohne die Karte ruft das Gateway kein Tor an.',
      check:
        'Was Sie prüfen können: Die Seite des Gateways zeigt Guthaben und letzten Tag. Laden Sie die Karte auf, verlängern oder tauschen Sie sie.',
    },
    webhook_stopped: {
      begun: 'An {name} gehen keine Ereignisse mehr',
      over: 'An {name} gehen wieder Ereignisse',
      means:
        'Der Webhook ist ausgeschaltet: Er hat 410 geantwortet, oder nichts hat ihn fünf Tage lang erreicht.',
      check:
        'Was Sie prüfen können: Läuft das Programm dahinter? Die Seite der Webhooks zeigt die letzten Versuche. Schalten Sie ihn dort wieder ein.',
    },
    mail_failing: {
      begun: 'Mails kommen nicht an',
      over: 'Mails kommen wieder an',
      means: 'Mindestens eine Mail an Ihre Mitglieder oder Benutzer konnte nicht gesendet werden.',
      check:
        'Was Sie prüfen können: Stimmt die Adresse? Die Seite des Mitglieds sagt, warum die Mail nicht hinausging. Betrifft es alle Mails, sagen Sie es dem Betreiber dieses Callgate.',
    },
  },
}
