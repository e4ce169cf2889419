// The guest's page in German.

import type { Texts } from './texts.ts'

export const de: Texts = {
  name: 'Deutsch',
  title: 'Ein Tor öffnen',
  open: 'Öffnen',
  unit: 's',
  usually: 'meist {seconds} s',
  usuallyInAll: 'meist {seconds} s insgesamt',
  until: 'Sie dürfen öffnen bis {time}',
  dayTime: '{day} {time}',
  left: 'Noch {left} von {most} Öffnungen',
  mayOpen: 'Sie dürfen öffnen ab',
  inHours: 'in {hours} h {minutes} min',
  inMinutes: 'in {minutes} min',
  opens: 'Sie dürfen öffnen ab {time}',
  hours: 'Ihre Zeiten',
  askHours: 'Andere Zeiten: {name}',
  call: 'Anrufen: {name}',
  ask: 'Fragen Sie die Person, von der Sie diesen Link haben.',
  steps: ['Angefragt', 'Das Tor wird angerufen', 'Beim Tor klingelt es', 'Das Tor nimmt den Anruf an'],
  words: ['Angefragt', 'Ruft an', 'Klingelt', 'Angenommen'],
  joined: 'Das Tor wird bereits angerufen; Ihr Tastendruck schließt sich diesem Anruf an.',
  queue: {
    next: 'Ein anderes Tor wird gerade angerufen; Ihres ist als Nächstes dran, in etwa {seconds} s.',
    more: 'Andere Tore werden gerade angerufen; Anrufe vor Ihrem: {count}, etwa {seconds} s.',
    late: 'Andere Tore werden gerade angerufen, und das dauert vielleicht zu lange. Dann wird Ihres nicht angerufen, und Sie können noch einmal drücken.',
  },
  pin: 'Auf diesem Gerät zuerst zeigen',
  confirm: 'Ein echtes Tor wird sich bewegen. Stellen Sie sich so, dass Sie es sehen.',
  back: 'Zurück',
  again: 'Noch einmal drücken',
  againIn: 'Noch einmal drücken in {seconds} s',
  moved: 'Es ist offen oder bewegt sich',
  stands: 'Es steht: noch einmal drücken',
  noted: 'Notiert: Es ist offen oder bewegt sich',
  language: 'Sprache',
  reference: 'Referenz {id}',
  closed: '{time}, nach {seconds} s · Referenz {id}',
  closedJoined: '{time}, durch einen Anruf, der schon lief · Referenz {id}',
  endedOn: 'Abgelaufen am {date}',
  turn: 'Wenn sich das Tor bewegt, kann ein zweiter Anruf seine Richtung umkehren.',
  lookFirst: [
    'Sehen Sie erst nach dem Tor',
    'Steht es still, drücken Sie noch einmal.',
    'Hilft auch das nicht, rufen Sie an.',
  ],
  safe: 'Sie können gefahrlos noch einmal drücken',
  agains: {
    now: 'Sie müssen nicht warten.',
    tenSeconds: 'Vielleicht ist die Leitung in etwa 10 Sekunden frei.',
    moment: 'In einem Moment geht es vielleicht.',
    minute: 'In einer Minute geht es vielleicht.',
    another: 'Dann ruft ein anderes Gerät das Tor an.',
  },
  offline: {
    state: 'Keine Verbindung',
    since: 'seit {time}',
    said: [
      'Es wurde nichts gesendet',
      'Ein Tastendruck wird nie für später aufgehoben. Gehen Sie dorthin, wo Empfang ist, und drücken Sie dann noch einmal.',
    ],
    button: 'Verbindung prüfen',
  },
  lost: {
    state: 'Wird geprüft',
    since: 'angefragt vor {seconds} s',
    said: [
      'Die Verbindung ist abgerissen',
      'Ihr Tastendruck wird nicht noch einmal gesendet. Diese Seite fragt, was daraus wurde.',
    ],
    button: 'Noch einmal prüfen',
  },
  expired: 'Es wurde nichts geöffnet: Die Seite war zu alt. Drücken Sie noch einmal.',
  late: 'Es wurde nichts geöffnet: Ihr Tastendruck kam zu spät an. Drücken Sie noch einmal.',
  unsent: 'Es wurde nichts geöffnet: Ihr Tastendruck kam nicht an. Drücken Sie noch einmal.',
  tooMany: 'Zu oft gedrückt. Warten Sie {seconds} s und drücken Sie dann noch einmal.',
  unsure: [
    'Sehen Sie nach dem Tor',
    'Der Dienst wurde neu gestartet, und niemand weiß, ob Ihr Tastendruck ankam. Drücken Sie nur noch einmal, wenn das Tor stillsteht.',
  ],
  noGates: [
    'Kein Tor',
    'Zurzeit können Sie kein Tor öffnen. Fragen Sie die Person, von der Sie diesen Link haben.',
  ],
  tooOften: [
    'Einen Moment',
    'Diese Seite wurde zu oft geladen. Sie wird in {seconds} s noch einmal geladen.',
  ],
  deadLink: [
    'Dieser Link funktioniert nicht',
    'Er wurde vielleicht ersetzt oder ohne sein Ende kopiert. Bitten Sie die Person, die ihn geschickt hat, um einen neuen.',
  ],
  noPage: [
    'Hier ist nichts',
    'Die Adresse ist vielleicht falsch oder unvollständig. Um ein Tor zu öffnen, nehmen Sie den Link, den Sie bekommen haben.',
  ],
  toStart: 'Zur Startseite',
  notNow: ['Jetzt nicht verfügbar', 'Es wurde nichts geöffnet. Versuchen Sie es später noch einmal.'],
  fault: [
    'Etwas ist schiefgegangen',
    'Sehen Sie nach dem Tor. Steht es still, gehen Sie zurück und drücken Sie in einer Minute noch einmal.',
  ],
  outcomes: {
    done: [
      'Das Tor hat den Anruf angenommen',
      'Es sollte jetzt aufgehen. Steht es nach 10 s noch still, drücken Sie noch einmal.',
    ],
    probably: [
      'Das Tor wurde angerufen',
      'Es geht wahrscheinlich auf: Bei diesem Tor verrät der Anruf das nicht sicher. Steht es nach 10 s noch still, drücken Sie noch einmal.',
    ],
    unknown: [
      'Sehen Sie nach dem Tor',
      'Der Anruf endete nicht wie sonst. Von hier aus kann niemand wissen, ob das Tor aufgegangen ist.',
    ],
    answered: [
      'Sehen Sie nach dem Tor',
      'Der Anruf wurde angenommen. Von hier aus kann niemand wissen, ob das Tor aufgegangen ist. Wenn ja, sagen Sie es der Person, von der Sie diesen Link haben.',
    ],
    noReaction: [
      'Das Tor hat nicht reagiert',
      'Es hat geklingelt und den Anruf nicht angenommen. Höchstwahrscheinlich hat es sich nicht bewegt.',
    ],
    unreached: [
      'Das Tor wurde nicht erreicht',
      'Der Anruf kam nicht durch. Höchstwahrscheinlich hat es sich nicht bewegt.',
    ],
    busy: ['Die Leitung des Tors ist besetzt', 'Ihr Anruf kam nicht durch, also hat sich nichts bewegt.'],
    notCalled: [
      'Das Tor wurde nicht angerufen',
      'Ihr Tastendruck hat keinen Anruf ausgelöst, also hat er nichts bewegt.',
    ],
    deviceFault: [
      'Das Tor wurde nicht angerufen',
      'Sein Gerät ist gestört, also hat sich nichts bewegt. Sagen Sie es der Person, von der Sie diesen Link haben.',
    ],
    otherGateway: [
      'Das Tor wurde nicht erreicht',
      'Das Gerät, das angerufen hat, ist gestört, also hat sich nichts bewegt.',
    ],
    noCredit: [
      'Das Tor wurde nicht erreicht',
      'Die SIM-Karte seines Geräts hat kein Guthaben, also hat sich nichts bewegt. Sagen Sie es der Person, von der Sie diesen Link haben.',
    ],
    barred: [
      'Das Tor wurde nicht erreicht',
      'Der Mobilfunkanbieter lässt die SIM-Karte seines Geräts nicht anrufen, also hat sich nichts bewegt. Sagen Sie es der Person, von der Sie diesen Link haben.',
    ],
    wrongNumber: [
      'Das Tor kann nicht angerufen werden',
      'Mit seiner Nummer stimmt etwas nicht. Sagen Sie es der Person, von der Sie diesen Link haben.',
    ],
    outside: [
      'Außerhalb Ihrer Zeiten',
      'Um diese Zeit dürfen Sie dieses Tor nicht öffnen, also wurde es nicht angerufen.',
    ],
    ended: [
      'Ihr Zugang ist abgelaufen',
      'Wenn Sie ihn wieder brauchen, fragen Sie die Person, von der Sie diesen Link haben.',
    ],
    used: [
      'Alle Öffnungen sind verbraucht',
      'Sie haben dieses Tor so oft geöffnet, wie Sie dürfen. Fragen Sie die Person, von der Sie diesen Link haben.',
    ],
    noAccess: [
      'Sie haben keinen Zugang',
      'Dieses Tor steht Ihnen nicht mehr offen. Fragen Sie die Person, von der Sie diesen Link haben.',
    ],
    lockedDown: [
      'Alle Tore sind gesperrt',
      'Ein Administrator hat sie vorerst gesperrt, deshalb wird keines angerufen. Fragen Sie die Person, von der Sie diesen Link haben.',
    ],
    off: [
      'Dieses Tor ist abgeschaltet',
      'Es wird zurzeit nicht angerufen. Fragen Sie die Person, von der Sie diesen Link haben.',
    ],
  },
}
