// The guest's page in German.

import type { Texts } from './texts.ts'

export const de: Texts = {
  name: 'Deutsch',
  title: 'Ein Tor öffnen',
  open: '{gate} öffnen',
  noGates: 'Zurzeit können Sie kein Tor öffnen. Fragen Sie die Person, von der Sie diesen Link haben.',
  next: 'Wieder ab: {time}',
  calling: 'Das Tor wird angerufen…',
  ringing: 'Beim Tor klingelt es…',
  joined: 'Das Tor wird bereits angerufen…',
  back: 'Zurück zu den Toren',
  language: 'Sprache',
  reference: 'Referenz',
  contact: 'Wenn Sie Hilfe brauchen',
  again: 'Es wurde nichts geöffnet: Die Seite war zu alt. Drücken Sie noch einmal.',
  tooMany: 'Zu oft gedrückt. Warten Sie {seconds} s und drücken Sie dann noch einmal.',
  tooOften: 'Diese Seite wurde zu oft geladen. Warten Sie {seconds} s und laden Sie sie dann noch einmal.',
  deadLink: 'Dieser Link funktioniert nicht. Bitten Sie die Person, die ihn geschickt hat, um einen neuen.',
  notNow:
    'Diese Seite ist im Moment nicht verfügbar. Es wurde nichts geöffnet. Versuchen Sie es später noch einmal.',
  fault:
    'Etwas ist schiefgegangen. Sehen Sie nach dem Tor; wenn es sich nicht bewegt, versuchen Sie es in einer Minute wieder.',
  outcomes: {
    done: [
      'Das Tor wurde angerufen und sollte jetzt aufgehen.',
      'Wenn es sich nicht bewegt, warten Sie 10 Sekunden und versuchen Sie es wieder.',
    ],
    notCalled: [
      'Das Tor wurde nicht angerufen: Sein Gerät ist nicht bereit.',
      'Versuchen Sie es in einer Minute wieder.',
    ],
    deviceFault: [
      'Das Tor wurde nicht angerufen: Sein Gerät ist gestört.',
      'Sagen Sie es der Person, von der Sie diesen Link haben.',
    ],
    outside: [
      'Ihr Zugang erlaubt das Öffnen um diese Zeit nicht.',
      'Wenn Sie andere Zeiten brauchen, fragen Sie die Person, von der Sie diesen Link haben.',
    ],
    ended: [
      'Ihr Zugang zu diesem Tor ist abgelaufen.',
      'Wenn Sie ihn wieder brauchen, fragen Sie die Person, von der Sie diesen Link haben.',
    ],
    used: [
      'Ihr Zugang wurde so oft benutzt, wie es erlaubt ist.',
      'Wenn Sie mehr brauchen, fragen Sie die Person, von der Sie diesen Link haben.',
    ],
    noAccess: [
      'Sie haben keinen Zugang mehr zu diesem Tor.',
      'Fragen Sie die Person, von der Sie diesen Link haben.',
    ],
    off: ['Dieses Tor ist abgeschaltet.', 'Fragen Sie die Person, von der Sie diesen Link haben.'],
    wrongNumber: [
      'Dieses Tor kann unter seiner Nummer nicht angerufen werden.',
      'Sagen Sie es der Person, von der Sie diesen Link haben.',
    ],
    busy: ['Die Leitung des Tors ist besetzt.', 'Versuchen Sie es in 10 Sekunden wieder.'],
    noReaction: [
      'Das Tor hat auf den Anruf nicht reagiert.',
      'Wenn es sich nicht bewegt, versuchen Sie es in 20 Sekunden wieder. Hilft auch das nicht, rufen Sie die Person an, von der Sie diesen Link haben.',
    ],
    unknown: [
      'Es ist nicht bekannt, ob das Tor aufgegangen ist.',
      'Sehen Sie nach dem Tor. Wenn es sich nicht bewegt, versuchen Sie es in einer Minute wieder.',
    ],
    answered: [
      'Der Anruf wurde angenommen. Es ist nicht bekannt, ob das Tor aufgegangen ist.',
      'Sehen Sie nach dem Tor. Wenn es sich nicht bewegt, versuchen Sie es in einer Minute wieder. Ist es aufgegangen, sagen Sie der Person, von der Sie diesen Link haben, dass sein Anrufprofil „answer_release“ sein muss.',
    ],
  },
}
