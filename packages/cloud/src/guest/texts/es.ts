// The guest's page in Spanish.

import type { Texts } from './texts.ts'

export const es: Texts = {
  name: 'Español',
  title: 'Abrir una puerta',
  open: 'Abrir',
  unit: 's',
  usually: 'normalmente {seconds} s',
  usuallyInAll: 'normalmente {seconds} s en total',
  until: 'Puede abrir hasta las {time}',
  dayTime: '{time} {day}',
  left: 'Usos restantes: {left} de {most}',
  mayOpen: 'Puede abrir desde las',
  inHours: 'dentro de {hours} h {minutes} min',
  inMinutes: 'dentro de {minutes} min',
  opens: 'Puede abrir desde las {time}',
  hours: 'Su horario',
  askHours: 'Otro horario: {name}',
  call: 'Llamar a {name}',
  ask: 'Pregunte a quien le dio este enlace.',
  steps: ['Pedido', 'Llamando a la puerta', 'La puerta está sonando', 'La puerta acepta la llamada'],
  words: ['Pedido', 'Llamando', 'Sonando', 'Aceptada'],
  joined: 'Ya se está llamando a la puerta; su pulsación se une a esa llamada.',
  queue: {
    next: 'Se está llamando a otra puerta; la suya es la siguiente, en unos {seconds} s.',
    more: 'Se está llamando a otras puertas; llamadas antes de la suya: {count}, unos {seconds} s.',
    late: 'Se está llamando a otras puertas, y puede tardar demasiado. En ese caso no se llama a la suya, y puede pulsar de nuevo.',
  },
  pin: 'Mostrar primero en este dispositivo',
  confirm: 'Se moverá una puerta de verdad. Póngase donde la vea.',
  back: 'Volver',
  again: 'Pulsar de nuevo',
  againIn: 'Pulsar de nuevo en {seconds} s',
  moved: 'Está abierta, o se mueve',
  stands: 'Está quieta: pulsar de nuevo',
  noted: 'Anotado: está abierta, o se mueve',
  language: 'Idioma',
  reference: 'Referencia {id}',
  closed: '{time}, tras {seconds} s · referencia {id}',
  closedJoined: '{time}, con una llamada que ya estaba en curso · referencia {id}',
  endedOn: 'Terminó el {date}',
  turn: 'Si la puerta se mueve, una segunda llamada puede invertir su movimiento.',
  lookFirst: ['Mire primero la puerta', 'Si está quieta, pulse de nuevo.', 'Si tampoco funciona, llame.'],
  safe: 'Puede pulsar de nuevo sin riesgo',
  agains: {
    now: 'No hace falta esperar.',
    tenSeconds: 'Quizá la línea esté libre en unos 10 segundos.',
    moment: 'Quizá funcione dentro de un momento.',
    minute: 'Quizá funcione dentro de un minuto.',
    another: 'Entonces llamará otro dispositivo.',
  },
  offline: {
    state: 'Sin conexión',
    since: 'desde las {time}',
    said: [
      'No se ha enviado nada',
      'Una pulsación nunca se guarda para después. Vaya a donde haya señal y pulse de nuevo.',
    ],
    button: 'Probar la conexión',
  },
  lost: {
    state: 'Comprobando',
    since: 'pedido hace {seconds} s',
    said: [
      'Se perdió la conexión',
      'Su pulsación no se envía otra vez. Esta página pregunta qué fue de ella.',
    ],
    button: 'Comprobar de nuevo',
  },
  expired: 'No se ha abierto nada: la página era demasiado antigua. Pulse de nuevo.',
  late: 'No se ha abierto nada: su pulsación llegó demasiado tarde. Pulse de nuevo.',
  unsent: 'No se ha abierto nada: su pulsación no llegó. Pulse de nuevo.',
  tooMany: 'Demasiadas pulsaciones. Espere {seconds} s y pulse de nuevo.',
  unsure: [
    'Mire la puerta',
    'El servicio se reinició, y no se sabe si su pulsación llegó. Pulse de nuevo solo si la puerta está quieta.',
  ],
  noGates: [
    'Ninguna puerta',
    'Ahora mismo no puede abrir ninguna puerta. Pregunte a quien le dio este enlace.',
  ],
  tooOften: ['Un momento', 'Esta página se ha cargado demasiadas veces. Se carga de nuevo en {seconds} s.'],
  deadLink: [
    'Este enlace no funciona',
    'Puede que se haya sustituido, o copiado incompleto. Pida uno nuevo a quien se lo envió.',
  ],
  noPage: [
    'Aquí no hay nada',
    'Puede que la dirección esté mal o incompleta. Para abrir una puerta, use el enlace que recibió.',
  ],
  toStart: 'Ir a la página de inicio',
  notNow: ['No disponible ahora', 'No se ha abierto nada. Inténtelo de nuevo más tarde.'],
  fault: ['Algo ha fallado', 'Mire la puerta. Si está quieta, vuelva atrás y pulse de nuevo en un minuto.'],
  outcomes: {
    done: [
      'La puerta aceptó la llamada',
      'Ahora debería abrirse. Si tras 10 s sigue quieta, pulse de nuevo.',
    ],
    probably: [
      'Se ha llamado a la puerta',
      'Probablemente se abre: con esta puerta, la llamada no lo indica con seguridad. Si tras 10 s sigue quieta, pulse de nuevo.',
    ],
    unknown: [
      'Mire la puerta',
      'La llamada no terminó como siempre. Desde aquí nadie puede saber si la puerta se abrió.',
    ],
    answered: [
      'Mire la puerta',
      'Algo respondió a la llamada. Desde aquí nadie puede saber si la puerta se abrió. Si fue así, dígaselo a quien le dio este enlace.',
    ],
    noReaction: [
      'La puerta no reaccionó',
      'Sonó y no aceptó la llamada. Lo más probable es que no se haya movido.',
    ],
    unreached: ['No se alcanzó la puerta', 'La llamada no llegó. Lo más probable es que no se haya movido.'],
    busy: ['La línea de la puerta está ocupada', 'Su llamada no llegó, así que no se movió nada.'],
    notCalled: [
      'No se ha llamado a la puerta',
      'Su pulsación no hizo ninguna llamada, así que no movió nada.',
    ],
    deviceFault: [
      'No se ha llamado a la puerta',
      'Su dispositivo tiene una avería, así que no se movió nada. Avise a quien le dio este enlace.',
    ],
    otherGateway: [
      'No se alcanzó la puerta',
      'El dispositivo que llamó tiene una avería, así que no se movió nada.',
    ],
    noCredit: [
      'No se alcanzó la puerta',
      'La tarjeta SIM de su dispositivo no tiene saldo, así que no se movió nada. Avise a quien le dio este enlace.',
    ],
    barred: [
      'No se alcanzó la puerta',
      'El operador no deja llamar a la tarjeta SIM de su dispositivo, así que no se movió nada. Avise a quien le dio este enlace.',
    ],
    wrongNumber: [
      'No se puede llamar a la puerta',
      'Algo falla en su número. Avise a quien le dio este enlace.',
    ],
    outside: ['Fuera de su horario', 'A esta hora no puede abrir esta puerta, así que no se la llamó.'],
    ended: ['Su acceso ha terminado', 'Si lo necesita de nuevo, pregunte a quien le dio este enlace.'],
    used: [
      'No le quedan usos',
      'Ha abierto esta puerta tantas veces como está permitido. Pregunte a quien le dio este enlace.',
    ],
    noAccess: [
      'No tiene acceso',
      'Esta puerta ya no está abierta para usted. Pregunte a quien le dio este enlace.',
    ],
    lockedDown: [
      'Todas las puertas están bloqueadas',
      'Un administrador las ha bloqueado por ahora; no se llama a ninguna. Pregunte a quien le dio este enlace.',
    ],
    off: ['Esta puerta está desactivada', 'De momento no se la llama. Pregunte a quien le dio este enlace.'],
  },
}
