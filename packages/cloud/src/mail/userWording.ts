// The texts of the mails to users of the dashboard, in each language. `{name}`, `{space}` and `{inviter}` are filled in.

import type { Language } from '@callgate/contract/language'
import { wholeWordsIn } from '@callgate/contract/wholeWords'

/** The sentences of one language. Names are in the nominative or after a colon, so that no language has to inflect them. */
export interface UserWording {
  readonly invitationSubject: string
  readonly invited: string
  readonly invitationButton: string
  readonly invitationEnds: string
  readonly stranger: string
  readonly resetHeadline: string
  readonly reset: string
  readonly resetButton: string
  readonly resetEnds: string
  readonly notAsked: string
}

export const userWordings: Readonly<Record<Language, UserWording>> = wholeWordsIn({
  en: {
    invitationSubject: '{space}: invitation to the dashboard',
    invited: '{inviter} invites you to manage the gates of {space}. You do that in the Callgate dashboard.',
    invitationButton: 'Accept the invitation',
    invitationEnds: 'The link works once, for 72 hours. Please do not forward this message.',
    stranger: 'If you do not know {space}, please delete this message.',
    resetHeadline: 'Set a new password',
    reset: 'Somebody asked for this link on the sign-in page of the Callgate dashboard.',
    resetButton: 'Set a new password',
    resetEnds:
      'The link works once, for one hour. A new password signs you out everywhere. Please do not forward this message.',
    notAsked: 'If it was not you, please delete this message: your password stays as it is.',
  },
  ro: {
    invitationSubject: '{space}: invitație în panoul de administrare',
    invited:
      '{inviter} vă invită să administrați porțile din spațiul {space}. Le administrați în panoul Callgate.',
    invitationButton: 'Acceptați invitația',
    invitationEnds:
      'Linkul funcționează o singură dată, timp de 72 de ore. Vă rugăm să nu redirecționați mesajul.',
    stranger: 'Dacă nu cunoașteți {space}, vă rugăm să ștergeți acest mesaj.',
    resetHeadline: 'Setați o parolă nouă',
    reset: 'Cineva a cerut acest link pe pagina de intrare a panoului Callgate.',
    resetButton: 'Setați o parolă nouă',
    resetEnds:
      'Linkul funcționează o singură dată, timp de o oră. O parolă nouă încheie toate sesiunile. Vă rugăm să nu redirecționați mesajul.',
    notAsked: 'Dacă nu ați cerut-o dumneavoastră, vă rugăm să ștergeți acest mesaj: parola rămâne aceeași.',
  },
  hu: {
    invitationSubject: '{space}: meghívó a kezelőfelületre',
    invited:
      'Meghívást kapott a kapuk kezelésére. A meghívó: {inviter}. A hely: {space}. A kapukat a Callgate kezelőfelületén kezelheti.',
    invitationButton: 'Meghívás elfogadása',
    invitationEnds: 'A link egyszer használható, 72\u00a0órán át. Kérjük, ne továbbítsa ezt az üzenetet.',
    stranger: 'Ha nem ismeri a feladót ({space}), kérjük, törölje ezt az üzenetet.',
    resetHeadline: 'Új jelszó megadása',
    reset: 'Valaki ezt a linket kérte a Callgate kezelőfelületének bejelentkezési oldalán.',
    resetButton: 'Új jelszó megadása',
    resetEnds:
      'A link egyszer használható, egy órán át. Az új jelszó minden eszközön kijelentkezteti. Kérjük, ne továbbítsa ezt az üzenetet.',
    notAsked: 'Ha nem Ön kérte, kérjük, törölje ezt az üzenetet: a jelszava nem változik.',
  },
  de: {
    invitationSubject: '{space}: Einladung zur Verwaltung',
    invited:
      '{inviter} lädt Sie ein, die Tore von {space} zu betreuen. Das tun Sie in der Callgate-Verwaltung.',
    invitationButton: 'Einladung annehmen',
    invitationEnds: 'Der Link gilt einmal, 72 Stunden lang. Bitte leiten Sie diese Nachricht nicht weiter.',
    stranger: 'Wenn Sie {space} nicht kennen, löschen Sie diese Nachricht bitte.',
    resetHeadline: 'Neues Passwort festlegen',
    reset: 'Jemand hat diesen Link auf der Anmeldeseite der Callgate-Verwaltung angefordert.',
    resetButton: 'Neues Passwort festlegen',
    resetEnds:
      'Der Link gilt einmal, eine Stunde lang. Ein neues Passwort meldet Sie überall ab. Bitte leiten Sie diese Nachricht nicht weiter.',
    notAsked: 'Wenn Sie es nicht waren, löschen Sie diese Nachricht bitte: Ihr Passwort bleibt, wie es ist.',
  },
  fr: {
    invitationSubject: '{space} : invitation au tableau de bord',
    invited:
      '{inviter} vous invite à gérer les portails de {space}. Cela se fait dans le tableau de bord Callgate.',
    invitationButton: 'Accepter l’invitation',
    invitationEnds:
      'Le lien fonctionne une seule fois, pendant 72 heures. Merci de ne pas transférer ce message.',
    stranger: 'Si vous ne connaissez pas {space}, merci de supprimer ce message.',
    resetHeadline: 'Choisir un nouveau mot de passe',
    reset: 'Quelqu’un a demandé ce lien sur la page de connexion du tableau de bord Callgate.',
    resetButton: 'Choisir un mot de\u00a0passe',
    resetEnds:
      'Le lien fonctionne une seule fois, pendant une heure. Un nouveau mot de passe vous déconnecte partout. Merci de ne pas transférer ce message.',
    notAsked: 'Si ce n’était pas vous, merci de supprimer ce message : votre mot de passe reste le même.',
  },
  it: {
    invitationSubject: '{space}: invito al pannello di gestione',
    invited: '{inviter} La invita a gestire i cancelli di {space}. Può farlo nel pannello Callgate.',
    invitationButton: 'Accetta l’invito',
    invitationEnds:
      'Il link funziona una sola volta, per 72 ore. La preghiamo di non inoltrare questo messaggio.',
    stranger: 'Se non conosce {space}, la preghiamo di eliminare questo messaggio.',
    resetHeadline: 'Scelga una nuova password',
    reset: 'Qualcuno ha chiesto questo link nella pagina di accesso del pannello Callgate.',
    resetButton: 'Scegli la nuova password',
    resetEnds:
      'Il link funziona una sola volta, per un’ora. Una nuova password chiude tutte le sessioni. La preghiamo di non inoltrare questo messaggio.',
    notAsked: 'Se non è stato Lei, la preghiamo di eliminare questo messaggio: la password resta la stessa.',
  },
  es: {
    invitationSubject: '{space}: invitación al panel de gestión',
    invited: '{inviter} le invita a gestionar las puertas de {space}. Puede hacerlo en el panel de Callgate.',
    invitationButton: 'Aceptar la invitación',
    invitationEnds: 'El enlace funciona una sola vez, durante 72 horas. Por favor, no reenvíe este mensaje.',
    stranger: 'Si no conoce {space}, por favor, elimine este mensaje.',
    resetHeadline: 'Elija una contraseña nueva',
    reset: 'Alguien ha pedido este enlace en la página de inicio de sesión del panel de Callgate.',
    resetButton: 'Elegir contraseña nueva',
    resetEnds:
      'El enlace funciona una sola vez, durante una hora. Una contraseña nueva cierra su sesión en todas partes. Por favor, no reenvíe este mensaje.',
    notAsked: 'Si no ha sido usted, por favor, elimine este mensaje: su contraseña no cambia.',
  },
  uk: {
    invitationSubject: '{space}: запрошення до панелі керування',
    invited:
      '{inviter} запрошує вас керувати воротами. Простір: {space}. Керувати ними можна в панелі Callgate.',
    invitationButton: 'Прийняти запрошення',
    invitationEnds: 'Посилання діє один раз, протягом 72 годин. Будь ласка, не пересилайте цей лист.',
    stranger: 'Якщо назва {space} вам невідома, будь ласка, видаліть цей лист.',
    resetHeadline: 'Новий пароль',
    reset: 'Хтось попросив це посилання на сторінці входу до панелі Callgate.',
    resetButton: 'Задати новий пароль',
    resetEnds:
      'Посилання діє один раз, протягом години. Новий пароль завершує сеанси на всіх пристроях. Будь ласка, не пересилайте цей лист.',
    notAsked: 'Якщо це були не ви, будь ласка, видаліть цей лист: ваш пароль не зміниться.',
  },
})
