// The texts of the mails in each language. `{name}`, `{space}`, `{gate}` and the like are filled in.

import type { Language } from '@callgate/contract/rest/member'

/** The sentences of one language. Names are in the nominative or after a colon, so that no language has to inflect them. */
export interface Wording {
  /** For dates, days and lists (BCP 47). */
  readonly locale: string
  readonly invitationSubject: string
  readonly accessSubject: string
  readonly greeting: string
  readonly invited: string
  readonly accessAdded: string
  readonly gates: string
  readonly noGates: string
  /** The text after a list that was cut. */
  readonly more: string
  readonly link: string
  readonly sameLink: string
  readonly button: string
  readonly secret: string
  readonly trouble: string
  readonly stranger: string
  readonly always: string
  readonly everyDay: string
  readonly weekdays: string
  readonly weekends: string
  /** The text after a window that ends on the next day. */
  readonly overnight: string
  readonly from: string
  readonly until: string
  readonly zone: string
  readonly cap: string
}

export const wordings: Readonly<Record<Language, Wording>> = {
  en: {
    locale: 'en-GB',
    invitationSubject: '{space}: your link to open the gate',
    accessSubject: '{space}: you can now open {gate}',
    greeting: 'Hello {name},',
    invited: '{space} invites you to open its gates with your phone.',
    accessAdded: '{space} has given you access to one more gate.',
    gates: 'What you can open, and when:',
    noGates: 'No gate is assigned to you yet. You will get a message when one is.',
    more: 'Your page shows the rest.',
    link: 'Your personal link:',
    sameLink: 'Your personal link is the same as before:',
    button: 'Open my page',
    secret:
      'Keep it to yourself: whoever has this link can open the gate. Please do not forward this message.',
    trouble:
      'The gate is opened by a phone call, so it may take some seconds. If it does not open, wait half a minute and press once more; if it stays closed, ask the person who invited you.',
    stranger: 'If you do not know {space}, please delete this message. It was sent automatically.',
    always: 'at any time',
    everyDay: 'every day',
    weekdays: 'Monday to Friday',
    weekends: 'Saturday and Sunday',
    overnight: 'next day',
    from: 'from {time}',
    until: 'until {time}',
    zone: 'time in {zone}',
    cap: 'number of openings: at most {count}',
  },
  ro: {
    locale: 'ro',
    invitationSubject: '{space}: linkul dumneavoastră pentru deschiderea porții',
    accessSubject: '{space}: acum puteți deschide {gate}',
    greeting: 'Bună ziua, {name},',
    invited: '{space} vă invită să deschideți porțile cu telefonul.',
    accessAdded: '{space} v-a dat acces la încă o poartă.',
    gates: 'Ce puteți deschide și când:',
    noGates: 'Deocamdată nu aveți acces la nicio poartă. Veți primi un mesaj când veți avea.',
    more: 'Restul se vede pe pagina dumneavoastră.',
    link: 'Linkul dumneavoastră personal:',
    sameLink: 'Linkul dumneavoastră personal este același ca până acum:',
    button: 'Deschide pagina mea',
    secret:
      'Păstrați-l doar pentru dumneavoastră: oricine are acest link poate deschide poarta. Vă rugăm să nu redirecționați mesajul.',
    trouble:
      'Poarta se deschide printr-un apel telefonic, deci poate dura câteva secunde. Dacă nu se deschide, așteptați o jumătate de minut și apăsați încă o dată; dacă rămâne închisă, întrebați persoana care v-a invitat.',
    stranger: 'Dacă nu cunoașteți {space}, vă rugăm să ștergeți acest mesaj. A fost trimis automat.',
    always: 'oricând',
    everyDay: 'în fiecare zi',
    weekdays: 'de luni până vineri',
    weekends: 'sâmbătă și duminică',
    overnight: 'ziua următoare',
    from: 'începând cu {time}',
    until: 'până la {time}',
    zone: 'ora din {zone}',
    cap: 'numărul deschiderilor: cel mult {count}',
  },
  hu: {
    locale: 'hu',
    invitationSubject: '{space}: az Ön kapunyitó linkje',
    accessSubject: '{space}: új kapu, amelyet már kinyithat: {gate}',
    greeting: 'Kedves {name}!',
    invited: 'Meghívást kapott, hogy telefonjával nyissa a kaput. A meghívó: {space}.',
    accessAdded: 'Újabb kapuhoz kapott hozzáférést. A hozzáférést adta: {space}.',
    gates: 'Mit nyithat ki, és mikor:',
    noGates: 'Egyelőre egyik kapuhoz sincs hozzáférése. Értesítjük, amint kap egyet.',
    more: 'A többi az oldalán látható.',
    link: 'Az Ön személyes linkje:',
    sameLink: 'A személyes linkje ugyanaz, mint eddig:',
    button: 'Oldalam megnyitása',
    secret:
      'Kérjük, őrizze meg magának: akinek megvan ez a link, ki tudja nyitni a kaput. Kérjük, ne továbbítsa ezt az üzenetet.',
    trouble:
      'A kaput telefonhívás nyitja, ezért ez néhány másodpercig tarthat. Ha nem nyílik ki, várjon fél percet, és nyomja meg még egyszer; ha továbbra is zárva marad, forduljon ahhoz, aki meghívta.',
    stranger: 'Ha nem ismeri a feladót ({space}), kérjük, törölje ezt az üzenetet. Automatikusan küldtük.',
    always: 'bármikor',
    everyDay: 'minden nap',
    weekdays: 'hétfőtől péntekig',
    weekends: 'szombat és vasárnap',
    overnight: 'másnap',
    from: 'ettől kezdve: {time}',
    until: 'eddig: {time}',
    zone: 'helyi idő: {zone}',
    cap: 'nyitások száma: legfeljebb {count}',
  },
  de: {
    locale: 'de',
    invitationSubject: '{space}: Ihr Link zum Öffnen des Tors',
    accessSubject: '{space}: Sie können jetzt {gate} öffnen',
    greeting: 'Guten Tag {name},',
    invited: '{space} lädt Sie ein, Tore mit Ihrem Telefon zu öffnen.',
    accessAdded: '{space} hat Ihnen Zugang zu einem weiteren Tor gegeben.',
    gates: 'Was Sie öffnen können und wann:',
    noGates: 'Ihnen ist noch kein Tor zugeteilt. Sie erhalten eine Nachricht, sobald das der Fall ist.',
    more: 'Alles Weitere zeigt Ihre Seite.',
    link: 'Ihr persönlicher Link:',
    sameLink: 'Ihr persönlicher Link ist derselbe wie bisher:',
    button: 'Meine Seite öffnen',
    secret:
      'Behalten Sie ihn für sich: Wer diesen Link hat, kann das Tor öffnen. Bitte leiten Sie diese Nachricht nicht weiter.',
    trouble:
      'Das Tor wird durch einen Anruf geöffnet, das kann einige Sekunden dauern. Öffnet es sich nicht, warten Sie eine halbe Minute und drücken Sie noch einmal; bleibt es geschlossen, wenden Sie sich an die Person, die Sie eingeladen hat.',
    stranger:
      'Wenn Sie {space} nicht kennen, löschen Sie diese Nachricht bitte. Sie wurde automatisch versandt.',
    always: 'jederzeit',
    everyDay: 'jeden Tag',
    weekdays: 'Montag bis Freitag',
    weekends: 'Samstag und Sonntag',
    overnight: 'am nächsten Tag',
    from: 'ab {time}',
    until: 'bis {time}',
    zone: 'Ortszeit {zone}',
    cap: 'Anzahl der Öffnungen: höchstens {count}',
  },
  fr: {
    locale: 'fr',
    invitationSubject: '{space} : votre lien pour ouvrir le portail',
    accessSubject: '{space} : vous pouvez maintenant ouvrir {gate}',
    greeting: 'Bonjour {name},',
    invited: '{space} vous invite à ouvrir ses portails avec votre téléphone.',
    accessAdded: '{space} vous a donné accès à un portail de plus.',
    gates: 'Ce que vous pouvez ouvrir, et quand :',
    noGates: 'Aucun portail ne vous est encore attribué. Vous recevrez un message dès que ce sera le cas.',
    more: 'Votre page indique le reste.',
    link: 'Votre lien personnel :',
    sameLink: 'Votre lien personnel reste le même :',
    button: 'Ouvrir ma page',
    secret:
      'Gardez-le pour vous : toute personne qui possède ce lien peut ouvrir le portail. Merci de ne pas transférer ce message.',
    trouble:
      'Le portail s’ouvre par un appel téléphonique, ce qui peut prendre quelques secondes. S’il ne s’ouvre pas, attendez une demi-minute et appuyez encore une fois ; s’il reste fermé, adressez-vous à la personne qui vous a invité.',
    stranger:
      'Si vous ne connaissez pas {space}, merci de supprimer ce message. Il a été envoyé automatiquement.',
    always: 'à tout moment',
    everyDay: 'tous les jours',
    weekdays: 'du lundi au vendredi',
    weekends: 'samedi et dimanche',
    overnight: 'le lendemain',
    from: 'à partir du {time}',
    until: 'jusqu’au {time}',
    zone: 'heure locale : {zone}',
    cap: 'nombre d’ouvertures : {count} au maximum',
  },
  it: {
    locale: 'it',
    invitationSubject: '{space}: il Suo link per aprire il cancello',
    accessSubject: '{space}: ora può aprire {gate}',
    greeting: 'Buongiorno {name},',
    invited: '{space} La invita ad aprire i cancelli con il telefono.',
    accessAdded: '{space} Le ha dato accesso a un altro cancello.',
    gates: 'Che cosa può aprire e quando:',
    noGates: 'Per ora non Le è assegnato alcun cancello. Riceverà un messaggio quando lo sarà.',
    more: 'Il resto è indicato nella Sua pagina.',
    link: 'Il Suo link personale:',
    sameLink: 'Il Suo link personale è lo stesso di prima:',
    button: 'Apri la mia pagina',
    secret:
      'Lo tenga per sé: chiunque abbia questo link può aprire il cancello. La preghiamo di non inoltrare questo messaggio.',
    trouble:
      'Il cancello si apre con una telefonata, quindi possono servire alcuni secondi. Se non si apre, attenda mezzo minuto e prema ancora una volta; se resta chiuso, si rivolga alla persona che L’ha invitata.',
    stranger: 'Se non conosce {space}, elimini questo messaggio. È stato inviato automaticamente.',
    always: 'in qualsiasi momento',
    everyDay: 'ogni giorno',
    weekdays: 'dal lunedì al venerdì',
    weekends: 'sabato e domenica',
    overnight: 'del giorno dopo',
    from: 'dal giorno {time}',
    until: 'fino al giorno {time}',
    zone: 'ora locale: {zone}',
    cap: 'numero di aperture: al massimo {count}',
  },
  es: {
    locale: 'es',
    invitationSubject: '{space}: su enlace para abrir la puerta',
    accessSubject: '{space}: ya puede abrir {gate}',
    greeting: 'Hola, {name}:',
    invited: '{space} le invita a abrir sus puertas con el teléfono.',
    accessAdded: '{space} le ha dado acceso a una puerta más.',
    gates: 'Qué puede abrir y cuándo:',
    noGates: 'Todavía no tiene ninguna puerta asignada. Recibirá un mensaje cuando la tenga.',
    more: 'El resto figura en su página.',
    link: 'Su enlace personal:',
    sameLink: 'Su enlace personal es el mismo de antes:',
    button: 'Abrir mi página',
    secret:
      'No lo comparta: quien tenga este enlace puede abrir la puerta. Por favor, no reenvíe este mensaje.',
    trouble:
      'La puerta se abre mediante una llamada telefónica, por lo que puede tardar unos segundos. Si no se abre, espere medio minuto y pulse una vez más; si sigue cerrada, diríjase a la persona que le invitó.',
    stranger: 'Si no conoce {space}, elimine este mensaje. Se ha enviado automáticamente.',
    always: 'en cualquier momento',
    everyDay: 'todos los días',
    weekdays: 'de lunes a viernes',
    weekends: 'sábado y domingo',
    overnight: 'del día siguiente',
    from: 'desde el {time}',
    until: 'hasta el {time}',
    zone: 'hora local: {zone}',
    cap: 'número de aperturas: {count} como máximo',
  },
  uk: {
    locale: 'uk',
    invitationSubject: '{space}: ваше посилання для відкриття воріт',
    accessSubject: '{space}: тепер ви можете відкривати: {gate}',
    greeting: 'Вітаємо, {name}!',
    invited: '{space} запрошує вас відчиняти ворота за допомогою телефона.',
    accessAdded: '{space} надає вам доступ до ще одних воріт.',
    gates: 'Що ви можете відкривати й коли:',
    noGates: 'Поки що вам не надано доступу до жодних воріт. Ми повідомимо, щойно він з’явиться.',
    more: 'Решту показано на вашій сторінці.',
    link: 'Ваше особисте посилання:',
    sameLink: 'Ваше особисте посилання не змінилося:',
    button: 'Відкрити мою сторінку',
    secret:
      'Нікому його не передавайте: кожен, хто має це посилання, може відчинити ворота. Будь ласка, не пересилайте цей лист.',
    trouble:
      'Ворота відчиняються телефонним дзвінком, тому це може тривати кілька секунд. Якщо вони не відчинилися, зачекайте пів хвилини й натисніть ще раз; якщо вони залишаються зачиненими, зверніться до того, хто вас запросив.',
    stranger: 'Якщо назва {space} вам невідома, будь ласка, видаліть цей лист. Його надіслано автоматично.',
    always: 'у будь-який час',
    everyDay: 'щодня',
    weekdays: 'з понеділка до п’ятниці',
    weekends: 'у суботу та неділю',
    overnight: 'наступного дня',
    from: 'з {time}',
    until: 'до {time}',
    zone: 'час за поясом {zone}',
    cap: 'кількість відкриттів: не більше {count}',
  },
}
