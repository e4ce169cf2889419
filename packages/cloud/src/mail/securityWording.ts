// The texts of the mails that tell a user of a change to the sign-in, in each language. `{time}` is filled in.

import type { Language } from '@callgate/contract/language'
import { wholeWordsIn } from '@callgate/contract/wholeWords'
import type { SecurityMailKind } from './outbox.ts'

export interface SecurityWording {
  /** The subject. */
  readonly headline: string
  /** The subject where the sign-in itself was not changed. */
  readonly warning: string
  /** The headline in the mail, and what it means where that is not enough. */
  readonly changed: Readonly<Record<SecurityMailKind, readonly [headline: string, more?: string]>>
  readonly when: string
  readonly wasYou: string
  readonly wasNotYou: string
  readonly button: string
  readonly afterwards: string
}

export const securityWordings: Readonly<Record<Language, SecurityWording>> = wholeWordsIn({
  en: {
    headline: 'Your sign-in was changed',
    warning: 'Look at your account',
    changed: {
      password_changed: ['The password of your Callgate account was changed'],
      codes_enabled: [
        'Your Callgate account now asks for a code from an authenticator app beside the password',
      ],
      codes_disabled: ['Your Callgate account no longer asks for a code from an authenticator app'],
      codes_guessed: [
        'Right password, many wrong codes',
        'Somebody gave the right password of your Callgate account, and then many wrong codes in a row. After 100 of them, only a recovery code signs in.',
      ],
      recovery_codes_renewed: ['New recovery codes were made for your Callgate account'],
      passkey_added: ['A passkey was added to your Callgate account'],
      passkey_removed: ['A passkey was removed from your Callgate account'],
      factors_removed: [
        'Your app codes and passkeys were removed',
        'Whoever runs this Callgate removed them from your account.',
      ],
      owner_added: [
        'Somebody was made an owner of a Space that you own',
        'Its activity says who, and by whom.',
      ],
    },
    when: 'When: {time}.',
    wasYou: 'If it was you, there is nothing to do.',
    wasNotYou: 'If it was not you, set a new password now. It ends all sessions.',
    button: 'Set a new password',
    afterwards:
      'Then open your account in the dashboard and remove what is not yours. If you cannot sign in, ask whoever runs this Callgate.',
  },
  ro: {
    headline: 'S-a schimbat ceva la intrarea în cont',
    warning: 'Verificați-vă contul',
    changed: {
      password_changed: ['S-a schimbat parola contului Callgate'],
      codes_enabled: ['Contul dumneavoastră Callgate cere acum, pe lângă parolă, un cod dintr-o aplicație'],
      codes_disabled: ['Contul dumneavoastră Callgate nu mai cere un cod dintr-o aplicație'],
      codes_guessed: [
        'Parolă corectă, multe coduri greșite',
        'Cineva a dat parola corectă a contului dumneavoastră Callgate, apoi multe coduri greșite la rând. După 100 de coduri greșite, numai un cod de recuperare mai permite intrarea.',
      ],
      recovery_codes_renewed: ['Pentru contul dumneavoastră Callgate s-au făcut coduri de recuperare noi'],
      passkey_added: ['La contul dumneavoastră Callgate s-a adăugat o cheie de acces'],
      passkey_removed: ['De la contul dumneavoastră Callgate s-a eliminat o cheie de acces'],
      factors_removed: [
        'Codurile din aplicație și cheile dumneavoastră de acces au fost eliminate',
        'Le-a eliminat din cont persoana care administrează acest Callgate.',
      ],
      owner_added: [
        'Cineva a devenit proprietar al unui spațiu al dumneavoastră',
        'Activitatea spațiului arată cine și prin cine.',
      ],
    },
    when: 'Când: {time}.',
    wasYou: 'Dacă ați fost dumneavoastră, nu aveți nimic de făcut.',
    wasNotYou:
      'Dacă nu ați fost dumneavoastră, setați acum o parolă nouă. Toate sesiunile se încheie astfel.',
    button: 'Setați o parolă nouă',
    afterwards:
      'Apoi deschideți contul în panou și eliminați ce nu vă aparține. Dacă nu puteți intra, întrebați persoana care administrează acest Callgate.',
  },
  hu: {
    headline: 'Megváltozott a bejelentkezése',
    warning: 'Ellenőrizze a fiókját',
    changed: {
      password_changed: ['Callgate-fiókjának jelszava megváltozott'],
      codes_enabled: ['Callgate-fiókja mostantól a jelszó mellett egy alkalmazás kódját is kéri'],
      codes_disabled: ['Callgate-fiókja többé nem kéri az alkalmazás kódját'],
      codes_guessed: [
        'Helyes jelszó, sok hibás kód',
        'Valaki megadta Callgate-fiókja helyes jelszavát, majd egymás után sok hibás kódot. 100 hibás kód után már csak helyreállító kóddal lehet bejelentkezni.',
      ],
      recovery_codes_renewed: ['Callgate-fiókjához új helyreállító kódok készültek'],
      passkey_added: ['Callgate-fiókjához új azonosítókulcsot adtak hozzá'],
      passkey_removed: ['Callgate-fiókjából eltávolítottak egy azonosítókulcsot'],
      factors_removed: [
        'Az alkalmazáskódjait és azonosítókulcsait eltávolították',
        'Callgate-fiókjából az üzemeltető távolította el őket.',
      ],
      owner_added: [
        'Valaki tulajdonosa lett egy terének, amelynek Ön is tulajdonosa',
        'A tér tevékenységnaplója mutatja, ki és ki által.',
      ],
    },
    when: 'Időpont: {time}.',
    wasYou: 'Ha Ön volt az, nincs teendője.',
    wasNotYou: 'Ha nem Ön volt az, most adjon meg új jelszót. Ezzel minden munkamenet véget ér.',
    button: 'Új jelszó megadása',
    afterwards:
      'Ezután nyissa meg a fiókját a kezelőfelületen, és távolítsa el, ami nem az Öné. Ha nem tud belépni, forduljon ahhoz, aki ezt a Callgate-et üzemelteti.',
  },
  de: {
    headline: 'Ihre Anmeldung wurde geändert',
    warning: 'Prüfen Sie Ihr Konto',
    changed: {
      password_changed: ['Das Passwort Ihres Callgate-Kontos wurde geändert'],
      codes_enabled: ['Ihr Callgate-Konto verlangt jetzt neben dem Passwort einen Code aus einer App'],
      codes_disabled: ['Ihr Callgate-Konto verlangt keinen Code aus einer App mehr'],
      codes_guessed: [
        'Richtiges Passwort, viele falsche Codes',
        'Jemand hat das richtige Passwort Ihres Callgate-Kontos eingegeben und danach viele falsche Codes nacheinander. Nach 100 falschen Codes ist die Anmeldung nur noch mit einem Wiederherstellungscode möglich.',
      ],
      recovery_codes_renewed: ['Für Ihr Callgate-Konto wurden neue Wiederherstellungscodes erstellt'],
      passkey_added: ['Ihrem Callgate-Konto wurde ein Passkey hinzugefügt'],
      passkey_removed: ['Aus Ihrem Callgate-Konto wurde ein Passkey entfernt'],
      factors_removed: [
        'Ihre App-Codes und Passkeys wurden entfernt',
        'Die Person, die dieses Callgate betreibt, hat sie aus Ihrem Konto entfernt.',
      ],
      owner_added: [
        'Jemand wurde zum Inhaber eines Bereichs gemacht, der Ihnen gehört',
        'Die Aktivität des Bereichs zeigt, wer und durch wen.',
      ],
    },
    when: 'Wann: {time}.',
    wasYou: 'Wenn Sie es waren, ist nichts zu tun.',
    wasNotYou:
      'Wenn Sie es nicht waren, legen Sie jetzt ein neues Passwort fest. Das beendet alle Sitzungen.',
    button: 'Neues Passwort festlegen',
    afterwards:
      'Öffnen Sie danach Ihr Konto in der Verwaltung und entfernen Sie, was nicht von Ihnen ist. Wenn Sie sich nicht anmelden können, fragen Sie die Person, die dieses Callgate betreibt.',
  },
  fr: {
    headline: 'Votre connexion a été modifiée',
    warning: 'Vérifiez votre compte',
    changed: {
      password_changed: ['Le mot de passe de votre compte Callgate a été modifié'],
      codes_enabled: [
        'Votre compte Callgate demande désormais un code d’une application en plus du mot de passe',
      ],
      codes_disabled: ['Votre compte Callgate ne demande plus de code d’une application'],
      codes_guessed: [
        'Bon mot de\u00a0passe, codes erronés',
        'Quelqu’un a donné le bon mot de passe de votre compte Callgate, puis de nombreux codes erronés à la suite. Après 100 codes erronés, seul un code de secours permet de se connecter.',
      ],
      recovery_codes_renewed: ['De nouveaux codes de secours ont été créés pour votre compte Callgate'],
      passkey_added: ['Une clé d’accès a été ajoutée à votre compte Callgate'],
      passkey_removed: ['Une clé d’accès a été retirée de votre compte Callgate'],
      factors_removed: [
        'Vos codes d’application et vos clés d’accès ont été retirés',
        'La personne qui exploite ce Callgate les a retirés de votre compte.',
      ],
      owner_added: [
        'Quelqu’un est devenu propriétaire d’un espace dont vous êtes propriétaire',
        'L’activité de l’espace indique qui, et par qui.',
      ],
    },
    when: 'Quand : {time}.',
    wasYou: 'Si c’était vous, il n’y a rien à faire.',
    wasNotYou:
      'Si ce n’était pas vous, choisissez maintenant un nouveau mot de passe. Toutes les sessions prennent fin.',
    button: 'Choisir un mot de\u00a0passe',
    afterwards:
      'Ouvrez ensuite votre compte dans le tableau de bord et retirez ce qui n’est pas à vous. Si vous ne pouvez pas vous connecter, adressez-vous à la personne qui exploite ce Callgate.',
  },
  it: {
    headline: 'Il Suo accesso è stato modificato',
    warning: 'Controlli il Suo account',
    changed: {
      password_changed: ['La password del Suo account Callgate è stata cambiata'],
      codes_enabled: ['Il Suo account Callgate ora chiede un codice di un’app oltre alla password'],
      codes_disabled: ['Il Suo account Callgate non chiede più il codice di un’app'],
      codes_guessed: [
        'Password corretta, molti codici errati',
        'Qualcuno ha inserito la password corretta del Suo account Callgate e poi molti codici errati di seguito. Dopo 100 codici errati si accede solo con un codice di recupero.',
      ],
      recovery_codes_renewed: ['Sono stati creati nuovi codici di recupero per il Suo account Callgate'],
      passkey_added: ['Al Suo account Callgate è stata aggiunta una passkey'],
      passkey_removed: ['Dal Suo account Callgate è stata rimossa una passkey'],
      factors_removed: [
        'I Suoi codici dell’app e le Sue passkey sono stati rimossi',
        'Li ha rimossi dal Suo account chi gestisce questo Callgate.',
      ],
      owner_added: [
        'Qualcuno è diventato proprietario di uno spazio di cui Lei è proprietario',
        'L’attività dello spazio indica chi, e a opera di chi.',
      ],
    },
    when: 'Quando: {time}.',
    wasYou: 'Se è stato Lei, non deve fare nulla.',
    wasNotYou: 'Se non è stato Lei, scelga ora una nuova password. Tutte le sessioni terminano.',
    button: 'Scegli la nuova password',
    afterwards:
      'Poi apra il Suo account nel pannello e rimuova ciò che non è Suo. Se non riesce ad accedere, si rivolga a chi gestisce questo Callgate.',
  },
  es: {
    headline: 'Su inicio de sesión ha cambiado',
    warning: 'Revise su cuenta',
    changed: {
      password_changed: ['Se ha cambiado la contraseña de su cuenta de Callgate'],
      codes_enabled: ['Su cuenta de Callgate pide ahora un código de una aplicación además de la contraseña'],
      codes_disabled: ['Su cuenta de Callgate ya no pide un código de una aplicación'],
      codes_guessed: [
        'Contraseña correcta, muchos códigos erróneos',
        'Alguien ha introducido la contraseña correcta de su cuenta de Callgate y después muchos códigos erróneos seguidos. Tras 100 códigos erróneos solo se puede entrar con un código de recuperación.',
      ],
      recovery_codes_renewed: ['Se han creado nuevos códigos de recuperación para su cuenta de Callgate'],
      passkey_added: ['Se ha añadido una llave de acceso a su cuenta de Callgate'],
      passkey_removed: ['Se ha eliminado una llave de acceso de su cuenta de Callgate'],
      factors_removed: [
        'Se han eliminado sus códigos de aplicación y sus llaves de acceso',
        'Los ha eliminado de su cuenta quien gestiona este Callgate.',
      ],
      owner_added: [
        'Alguien ha pasado a ser propietario de un espacio del que usted es propietario',
        'La actividad del espacio indica quién y por quién.',
      ],
    },
    when: 'Cuándo: {time}.',
    wasYou: 'Si ha sido usted, no tiene que hacer nada.',
    wasNotYou: 'Si no ha sido usted, elija ahora una contraseña nueva. Así terminan todas las sesiones.',
    button: 'Elegir contraseña nueva',
    afterwards:
      'Después abra su cuenta en el panel y elimine lo que no sea suyo. Si no puede entrar, pregunte a quien gestiona este Callgate.',
  },
  uk: {
    headline: 'Спосіб входу змінено',
    warning: 'Перевірте свій обліковий запис',
    changed: {
      password_changed: ['Пароль вашого облікового запису Callgate змінено'],
      codes_enabled: ['Ваш обліковий запис Callgate тепер, крім пароля, запитує код із застосунку'],
      codes_disabled: ['Ваш обліковий запис Callgate більше не запитує код із застосунку'],
      codes_guessed: [
        'Правильний пароль, багато неправильних кодів',
        'Хтось увів правильний пароль вашого облікового запису Callgate, а потім багато неправильних кодів поспіль. Після 100 неправильних кодів увійти можна лише за кодом відновлення.',
      ],
      recovery_codes_renewed: ['Для вашого облікового запису Callgate створено нові коди відновлення'],
      passkey_added: ['До вашого облікового запису Callgate додано ключ доступу'],
      passkey_removed: ['З вашого облікового запису Callgate вилучено ключ доступу'],
      factors_removed: [
        'Ваші коди застосунку та ключі доступу вилучено',
        'Їх вилучив з вашого облікового запису той, хто керує цим Callgate.',
      ],
      owner_added: [
        'Когось зроблено власником простору, яким володієте ви',
        'Журнал дій простору показує, кого й ким.',
      ],
    },
    when: 'Коли: {time}.',
    wasYou: 'Якщо це були ви, робити нічого не потрібно.',
    wasNotYou: 'Якщо це були не ви, установіть зараз новий пароль. Усі сеанси завершаться.',
    button: 'Задати новий пароль',
    afterwards:
      'Потім відкрийте свій обліковий запис у панелі та вилучіть те, що не ваше. Якщо увійти не вдається, зверніться до того, хто керує цим Callgate.',
  },
})
