// French: the mails on incidents.

import type { AlertWording } from '../alertWording.ts'

export const fr: AlertWording = {
  goOn: { one: '{count}\u00a0problème vous attend', other: '{count}\u00a0problèmes vous attendent' },
  areOver: { other: '{count}\u00a0problèmes sont terminés' },
  since: 'Depuis le {time}.',
  lasted: 'Problème : {time}.',
  more: 'Le tableau de bord montre le reste.',
  button: 'Ouvrir le tableau de bord',
  why: 'Vous recevez ce message parce que vous êtes averti des alertes de {space}. Vous pouvez désactiver cela dans votre compte, dans le tableau de bord.',
  kinds: {
    gateway_offline: {
      begun: 'La passerelle {name} est hors ligne',
      over: 'La passerelle {name} est de nouveau en ligne',
      means: 'Jusqu’à son retour, elle n’ouvre aucun portail.',
      check:
        'À vérifier : est-elle alimentée ? Ses voyants sont-ils allumés ? Son réseau fonctionne-t-il ? Si oui, coupez puis remettez son alimentation.',
    },
    gate_not_reacting: {
      begun: 'Le portail ne réagit pas : {name}',
      over: 'Le portail réagit de nouveau : {name}',
      means: 'Trois appels de suite ont sonné, et le portail n’a rien fait.',
      check:
        'À vérifier : le module du portail est-il alimenté ? Connaît-il le numéro de la passerelle ? Sa carte SIM ou son numéro ont-ils changé ?',
    },
    gate_drifted: {
      begun: 'Les appels ne correspondent plus au portail {name}',
      over: 'Les appels correspondent de nouveau au portail {name}',
      means:
        'Ses appels se déroulent autrement que lors de l’étalonnage. Ce qui est dit des ouvertures peut être faux.',
      check:
        'À vérifier : son module, la carte SIM de celui-ci ou un réglage ont-ils changé ? Une messagerie vocale répond-elle ? Si le portail va bien, étalonnez-le de nouveau sur sa page.',
    },
    signal_low: {
      begun: 'La passerelle {name} capte mal',
      over: 'La passerelle {name} capte de nouveau bien',
      means: 'Les appels risquent de ne pas passer, et les portails restent alors fermés.',
      check: 'À vérifier : l’antenne est-elle bien vissée ? Est-elle dehors, ou assez haut ?',
    },
    supply_low: {
      begun: 'L’alimentation de la passerelle {name} est trop faible',
      over: 'L’alimentation de la passerelle {name} est de nouveau bonne',
      means: 'Son modem peut s’arrêter au milieu d’un appel.',
      check: 'À faire : utilisez une alimentation de 2 A, près du modem, avec des fils courts.',
    },
    sim_card: {
      begun: 'La carte SIM de la passerelle {name} demande votre attention',
      over: 'La carte SIM de la passerelle {name} est de nouveau en ordre',
      means:
        'Il reste peu de crédit, ou son dernier jour est proche ou passé. Sans elle, la passerelle n’appelle aucun portail.',
      check:
        'À vérifier : la page de la passerelle montre le crédit et le dernier jour. Rechargez la carte, prolongez-la ou changez-la.',
    },
    webhook_stopped: {
      begun: 'Aucun événement ne part plus vers {name}',
      over: 'Les événements partent de nouveau vers {name}',
      means: 'Le webhook est arrêté : il a répondu 410, ou rien ne l’a atteint pendant cinq jours.',
      check:
        'À vérifier : le programme qui les reçoit fonctionne-t-il ? La page des webhooks montre les dernières tentatives. Remettez-le en marche là.',
    },
    mail_failing: {
      begun: 'Des e-mails n’arrivent pas',
      over: 'Les e-mails arrivent de nouveau',
      means: 'Au moins un e-mail à vos membres ou utilisateurs n’a pas pu être envoyé.',
      check:
        'À vérifier : l’adresse est-elle juste ? La page du membre dit pourquoi l’e-mail n’est pas parti. Si cela concerne tous les e-mails, prévenez la personne qui gère ce Callgate.',
    },
  },
}
