// The guest's page in French.

import type { Texts } from './texts.ts'

export const fr: Texts = {
  name: 'Français',
  title: 'Ouvrir un portail',
  open: 'Ouvrir {gate}',
  noGates:
    'Vous ne pouvez ouvrir aucun portail pour le moment. Adressez-vous à la personne qui vous a donné ce lien.',
  next: 'Prochaine ouverture possible : {time}',
  calling: 'Appel du portail…',
  ringing: 'Le portail sonne…',
  joined: 'Le portail est déjà en cours d’appel…',
  back: 'Retour aux portails',
  language: 'Langue',
  reference: 'Référence',
  contact: 'Si vous avez besoin d’aide',
  again: 'Rien n’a été ouvert : la page était trop ancienne. Appuyez de nouveau.',
  tooMany: 'Trop d’appuis. Attendez {seconds} s, puis appuyez de nouveau.',
  tooOften: 'Cette page a été chargée trop souvent. Attendez {seconds} s, puis rechargez-la.',
  deadLink: 'Ce lien ne fonctionne pas. Demandez-en un nouveau à la personne qui vous l’a envoyé.',
  notNow: 'Cette page n’est pas disponible pour le moment. Rien n’a été ouvert. Réessayez plus tard.',
  fault: 'Un problème est survenu. Regardez le portail ; s’il ne bouge pas, réessayez dans une minute.',
  outcomes: {
    done: [
      'Le portail a été appelé et devrait s’ouvrir.',
      'S’il ne bouge pas, attendez 10 secondes et réessayez.',
    ],
    notCalled: ['Le portail n’a pas été appelé : son appareil n’est pas prêt.', 'Réessayez dans une minute.'],
    deviceFault: [
      'Le portail n’a pas été appelé : son appareil est en panne.',
      'Prévenez la personne qui vous a donné ce lien.',
    ],
    outside: [
      'Votre accès ne permet pas d’ouvrir à cette heure.',
      'S’il vous faut d’autres horaires, adressez-vous à la personne qui vous a donné ce lien.',
    ],
    ended: [
      'Votre accès à ce portail a pris fin.',
      'Si vous en avez encore besoin, adressez-vous à la personne qui vous a donné ce lien.',
    ],
    used: [
      'Votre accès a été utilisé autant de fois que permis.',
      'S’il vous en faut plus, adressez-vous à la personne qui vous a donné ce lien.',
    ],
    noAccess: [
      'Vous n’avez plus accès à ce portail.',
      'Adressez-vous à la personne qui vous a donné ce lien.',
    ],
    off: ['Ce portail est désactivé.', 'Adressez-vous à la personne qui vous a donné ce lien.'],
    wrongNumber: [
      'Ce portail ne peut pas être appelé à son numéro.',
      'Prévenez la personne qui vous a donné ce lien.',
    ],
    busy: ['La ligne du portail est occupée.', 'Réessayez dans 10 secondes.'],
    noReaction: [
      'Le portail n’a pas réagi à l’appel.',
      'S’il ne bouge pas, réessayez dans 20 secondes. Si cela ne suffit pas, appelez la personne qui vous a donné ce lien.',
    ],
    unknown: [
      'On ne sait pas si le portail s’est ouvert.',
      'Regardez le portail. S’il ne bouge pas, réessayez dans une minute.',
    ],
    answered: [
      'On a décroché à l’appel. On ne sait pas si le portail s’est ouvert.',
      'Regardez le portail. S’il ne bouge pas, réessayez dans une minute. S’il s’est ouvert, dites à la personne qui vous a donné ce lien que son profil d’appel doit être « answer_release ».',
    ],
  },
}
