// The guest's page in Spanish.

import type { Texts } from './texts.ts'

export const es: Texts = {
  name: 'Español',
  title: 'Abrir una puerta',
  open: 'Abrir {gate}',
  noGates: 'Ahora mismo no puede abrir ninguna puerta. Pregunte a quien le dio este enlace.',
  next: 'Próxima apertura posible: {time}',
  calling: 'Llamando a la puerta…',
  ringing: 'La puerta está sonando…',
  joined: 'Ya se está llamando a la puerta…',
  back: 'Volver a las puertas',
  language: 'Idioma',
  reference: 'Referencia',
  contact: 'Si necesita ayuda',
  again: 'No se ha abierto nada: la página era demasiado antigua. Pulse de nuevo.',
  tooMany: 'Demasiadas pulsaciones. Espere {seconds} s y pulse de nuevo.',
  tooOften: 'Esta página se ha cargado demasiadas veces. Espere {seconds} s y cárguela de nuevo.',
  deadLink: 'Este enlace no funciona. Pida uno nuevo a quien se lo envió.',
  notNow:
    'Esta página no está disponible en este momento. No se ha abierto nada. Inténtelo de nuevo más tarde.',
  fault: 'Algo ha fallado. Mire la puerta; si no se mueve, inténtelo de nuevo en un minuto.',
  outcomes: {
    done: [
      'Se ha llamado a la puerta y debería abrirse.',
      'Si no se mueve, espere 10 segundos e inténtelo de nuevo.',
    ],
    notCalled: [
      'No se ha llamado a la puerta: su dispositivo no está listo.',
      'Inténtelo de nuevo en un minuto.',
    ],
    deviceFault: [
      'No se ha llamado a la puerta: su dispositivo tiene una avería.',
      'Avise a quien le dio este enlace.',
    ],
    outside: [
      'Su acceso no permite abrir a esta hora.',
      'Si necesita otro horario, pregunte a quien le dio este enlace.',
    ],
    ended: [
      'Su acceso a esta puerta ha caducado.',
      'Si lo necesita de nuevo, pregunte a quien le dio este enlace.',
    ],
    used: [
      'Su acceso se ha usado tantas veces como está permitido.',
      'Si necesita más, pregunte a quien le dio este enlace.',
    ],
    noAccess: ['Ya no tiene acceso a esta puerta.', 'Pregunte a quien le dio este enlace.'],
    off: ['Esta puerta está desactivada.', 'Pregunte a quien le dio este enlace.'],
    wrongNumber: ['No se puede llamar a esta puerta por su número.', 'Avise a quien le dio este enlace.'],
    busy: ['La línea de la puerta está ocupada.', 'Inténtelo de nuevo en 10 segundos.'],
    noReaction: [
      'La puerta no ha reaccionado a la llamada.',
      'Si no se mueve, inténtelo de nuevo en 20 segundos. Si tampoco funciona, llame a quien le dio este enlace.',
    ],
    unknown: [
      'No se sabe si la puerta se ha abierto.',
      'Mire la puerta. Si no se mueve, inténtelo de nuevo en un minuto.',
    ],
    answered: [
      'Algo ha respondido a la llamada. No se sabe si la puerta se ha abierto.',
      'Mire la puerta. Si no se mueve, inténtelo de nuevo en un minuto. Si se ha abierto, diga a quien le dio este enlace que su perfil de llamada debe ser «answer_release».',
    ],
  },
}
