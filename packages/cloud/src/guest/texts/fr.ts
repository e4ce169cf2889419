// The guest's page in French.

import type { Texts } from './texts.ts'

export const fr: Texts = {
  name: 'Français',
  title: 'Ouvrir un portail',
  open: 'Ouvrir',
  unit: 's',
  usually: 'en général {seconds} s',
  usuallyInAll: 'en général {seconds} s en tout',
  until: 'Jusqu’à {time}',
  dayTime: '{time} {day}',
  left: 'Utilisations restantes : {left} sur {most}',
  mayOpen: 'Vous pouvez ouvrir dès',
  inHours: 'dans {hours} h {minutes} min',
  inMinutes: 'dans {minutes} min',
  opens: 'Vous pouvez ouvrir dès {time}',
  hours: 'Vos horaires',
  askHours: 'Autres horaires : {name}',
  call: 'Appeler {name}',
  ask: 'Adressez-vous à la personne qui vous a donné ce lien.',
  steps: ['Demandé', 'On appelle le portail', 'Le portail sonne', 'Le portail prend l’appel'],
  words: ['Demandé', 'On appelle', 'Ça sonne', 'Appel pris'],
  joined: 'Le portail est déjà en cours d’appel ; votre appui rejoint cet appel.',
  queue: {
    next: 'Un autre portail est en cours d’appel ; le vôtre est le suivant, dans environ {seconds} s.',
    more: 'D’autres portails sont en cours d’appel ; appels avant le vôtre : {count}, environ {seconds} s.',
    late: 'D’autres portails sont en cours d’appel, et cela peut durer trop longtemps. Dans ce cas, le vôtre n’est pas appelé, et vous pouvez appuyer de nouveau.',
  },
  pin: 'Afficher en premier sur cet appareil',
  confirm: 'Un vrai portail va bouger. Placez-vous là où vous le voyez.',
  back: 'Retour',
  again: 'Appuyer de nouveau',
  againIn: 'Appuyer de nouveau dans {seconds} s',
  moved: 'Il est ouvert, ou bouge',
  stands: 'Immobile : appuyer de nouveau',
  noted: 'Noté : il est ouvert, ou bouge',
  language: 'Langue',
  reference: 'Référence {id}',
  closed: '{time}, après {seconds} s · référence {id}',
  closedJoined: '{time}, par un appel déjà en cours · référence {id}',
  endedOn: 'Terminé le {date}',
  turn: 'Si le portail bouge, un deuxième appel peut inverser son mouvement.',
  lookFirst: [
    'Regardez d’abord le portail',
    'S’il ne bouge pas, appuyez de nouveau.',
    'Si cela ne suffit pas, appelez.',
  ],
  safe: 'Vous pouvez appuyer de nouveau sans risque',
  agains: {
    now: 'Vous n’avez pas besoin d’attendre.',
    tenSeconds: 'La ligne sera peut-être libre dans une dizaine de secondes.',
    moment: 'Cela marchera peut-être dans un instant.',
    minute: 'Cela marchera peut-être dans une minute.',
    another: 'Un autre appareil appellera alors.',
  },
  offline: {
    state: 'Pas de connexion',
    since: 'depuis {time}',
    said: [
      'Rien n’a été envoyé',
      'Un appui n’est jamais gardé pour plus tard. Allez là où il y a du réseau, puis appuyez de nouveau.',
    ],
    button: 'Essayer la connexion',
  },
  lost: {
    state: 'Vérification',
    since: 'demandé il y a {seconds} s',
    said: [
      'La connexion a été perdue',
      'Votre appui n’est pas envoyé de nouveau. Cette page demande ce qu’il est devenu.',
    ],
    button: 'Vérifier de nouveau',
  },
  expired: 'Rien n’a été ouvert : la page était trop ancienne. Appuyez de nouveau.',
  late: 'Rien n’a été ouvert : votre appui est arrivé trop tard. Appuyez de nouveau.',
  unsent: 'Rien n’a été ouvert : votre appui n’est pas arrivé. Appuyez de nouveau.',
  tooMany: 'Trop d’appuis. Attendez {seconds} s, puis appuyez de nouveau.',
  unsure: [
    'Regardez le portail',
    'Le service a redémarré, et on ne sait pas si votre appui est arrivé. N’appuyez de nouveau que si le portail ne bouge pas.',
  ],
  noGates: [
    'Aucun portail',
    'Vous ne pouvez ouvrir aucun portail pour le moment. Adressez-vous à la personne qui vous a donné ce lien.',
  ],
  tooOften: ['Un instant', 'Cette page a été chargée trop souvent. Elle se recharge dans {seconds} s.'],
  deadLink: [
    'Ce lien ne fonctionne pas',
    'Il a peut-être été remplacé, ou copié sans sa fin. Demandez-en un nouveau à la personne qui vous l’a envoyé.',
  ],
  noPage: [
    'Il n’y a rien ici',
    'L’adresse est peut-être fausse ou incomplète. Pour ouvrir un portail, utilisez le lien que vous avez reçu.',
  ],
  toStart: 'Aller à la page d’accueil',
  notNow: ['Pas disponible maintenant', 'Rien n’a été ouvert. Réessayez plus tard.'],
  fault: [
    'Un problème est survenu',
    'Regardez le portail. S’il ne bouge pas, revenez et appuyez de nouveau dans une minute.',
  ],
  outcomes: {
    done: [
      'Le portail a pris l’appel',
      'Il devrait s’ouvrir maintenant. S’il ne bouge pas après 10 s, appuyez de nouveau.',
    ],
    probably: [
      'Le portail a été appelé',
      'Il s’ouvre sans doute : avec ce portail, l’appel ne le dit pas avec certitude. S’il ne bouge pas après 10 s, appuyez de nouveau.',
    ],
    unknown: [
      'Regardez le portail',
      'L’appel ne s’est pas terminé comme d’habitude. D’ici, personne ne peut savoir si le portail s’est ouvert.',
    ],
    answered: [
      'Regardez le portail',
      'Quelque chose a répondu à l’appel. D’ici, personne ne peut savoir si le portail s’est ouvert. Si oui, dites-le à la personne qui vous a donné ce lien.',
    ],
    noReaction: [
      'Le portail n’a pas réagi',
      'Il a sonné et n’a pas pris l’appel. Il n’a très probablement pas bougé.',
    ],
    unreached: [
      'Le portail n’a pas été joint',
      'L’appel n’est pas passé. Il n’a très probablement pas bougé.',
    ],
    busy: ['La ligne du portail est occupée', 'Votre appel n’est pas passé, donc rien n’a bougé.'],
    notCalled: [
      'Le portail n’a pas été appelé',
      'Votre appui n’a lancé aucun appel, donc il n’a rien fait bouger.',
    ],
    deviceFault: [
      'Le portail n’a pas été appelé',
      'Son appareil est en panne, donc rien n’a bougé. Prévenez la personne qui vous a donné ce lien.',
    ],
    otherGateway: [
      'Le portail n’a pas été joint',
      'L’appareil qui a appelé est en panne, donc rien n’a bougé.',
    ],
    noCredit: [
      'Le portail n’a pas été joint',
      'La carte SIM de son appareil n’a plus de crédit, donc rien n’a bougé. Prévenez la personne qui vous a donné ce lien.',
    ],
    barred: [
      'Le portail n’a pas été joint',
      'L’opérateur ne laisse pas appeler la carte SIM de son appareil, donc rien n’a bougé. Prévenez la personne qui vous a donné ce lien.',
    ],
    wrongNumber: [
      'Le portail ne peut pas être appelé',
      'Son numéro pose un problème. Prévenez la personne qui vous a donné ce lien.',
    ],
    outside: [
      'En dehors de vos horaires',
      'Vous ne pouvez pas ouvrir ce portail à cette heure, il n’a donc pas été appelé.',
    ],
    ended: [
      'Votre accès a pris fin',
      'Si vous en avez encore besoin, adressez-vous à la personne qui vous a donné ce lien.',
    ],
    used: [
      'Vous n’avez plus d’utilisations',
      'Vous avez ouvert ce portail autant de fois que permis. Adressez-vous à la personne qui vous a donné ce lien.',
    ],
    noAccess: [
      'Vous n’avez pas accès',
      'Ce portail ne vous est plus ouvert. Adressez-vous à la personne qui vous a donné ce lien.',
    ],
    lockedDown: [
      'Tous les portails sont bloqués',
      'Un administrateur les a bloqués pour le moment ; aucun n’est appelé. Adressez-vous à la personne qui vous a donné ce lien.',
    ],
    off: [
      'Ce portail est désactivé',
      'Il n’est pas appelé pour le moment. Adressez-vous à la personne qui vous a donné ce lien.',
    ],
  },
}
