// Spanish: the mails on incidents.

import type { AlertWording } from '../alertWording.ts'

export const es: AlertWording = {
  goOn: { one: '{count} problema le espera', other: '{count} problemas le esperan' },
  areOver: { other: '{count} problemas han terminado' },
  since: 'Desde el {time}.',
  lasted: 'Problema: {time}.',
  more: 'El panel muestra el resto.',
  button: 'Abrir el panel',
  why: 'Recibe este mensaje porque se le avisa de las averías de {space}. Puede desactivarlo en su cuenta, en el panel.',
  kinds: {
    gateway_offline: {
      begun: 'La pasarela {name} está desconectada',
      over: 'La pasarela {name} vuelve a estar conectada',
      means: 'Hasta que vuelva, no abre ninguna puerta.',
      check:
        'Qué comprobar: ¿tiene corriente? ¿Están encendidas sus luces? ¿Funciona su red? Si es así, apague y encienda su corriente.',
    },
    gate_not_reacting: {
      begun: 'La puerta no reacciona: {name}',
      over: 'La puerta vuelve a reaccionar: {name}',
      means: 'Tres llamadas seguidas sonaron y la puerta no hizo nada.',
      check:
        'Qué comprobar: ¿tiene corriente el módulo de la puerta? ¿Conoce el número de la pasarela? ¿Ha cambiado su tarjeta SIM o su número?',
    },
    gate_drifted: {
      begun: 'Las llamadas ya no encajan con la puerta {name}',
      over: 'Las llamadas vuelven a encajar con la puerta {name}',
      means:
        'Sus llamadas transcurren de otra manera que en la calibración. Lo que se dice de las aperturas puede ser erróneo.',
      check:
        'Qué comprobar: ¿ha cambiado su módulo, la tarjeta SIM de este o algún ajuste? ¿Contesta un buzón de voz? Si la puerta está bien, vuelva a calibrarla en su página.',
    },
    signal_low: {
      begun: 'La pasarela {name} tiene poca señal',
      over: 'La pasarela {name} vuelve a tener buena señal',
      means: 'Puede que las llamadas no lleguen, y entonces las puertas siguen cerradas.',
      check: 'Qué comprobar: ¿está bien atornillada la antena? ¿Está fuera o lo bastante alta?',
    },
    supply_low: {
      begun: 'La alimentación de la pasarela {name} es débil',
      over: 'La alimentación de la pasarela {name} vuelve a ser buena',
      means: 'Su módem puede pararse en mitad de una llamada.',
      check: 'Qué hacer: use una fuente de 2 A, cerca del módem, con cables cortos.',
    },
    sim_card: {
      begun: 'Hay que revisar la tarjeta SIM de la pasarela {name}',
      over: 'La tarjeta SIM de la pasarela {name} vuelve a estar bien',
      means:
        'Le queda poco saldo, o su último día está cerca o ya pasó. Sin ella la pasarela no llama a ninguna puerta.',
      check:
        'Qué comprobar: la página de la pasarela muestra el saldo y el último día. Recargue la tarjeta, prolónguela o cámbiela.',
    },
    webhook_stopped: {
      begun: 'Ya no se envían eventos a {name}',
      over: 'Se envían de nuevo eventos a {name}',
      means: 'El webhook está desconectado: respondió 410, o nada llegó a él en cinco días.',
      check:
        'Qué comprobar: ¿funciona el programa que lo recibe? La página de los webhooks muestra los últimos intentos. Vuelva a conectarlo allí.',
    },
    mail_failing: {
      begun: 'Hay correos que no llegan',
      over: 'Los correos vuelven a llegar',
      means: 'Al menos un correo a sus miembros o usuarios no se pudo enviar.',
      check:
        'Qué comprobar: ¿es correcta la dirección? La página del miembro dice por qué no salió el correo. Si afecta a todos los correos, avise a quien administra este Callgate.',
    },
  },
}
