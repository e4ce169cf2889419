// The texts of the mails in each language. `{name}`, `{space}`, `{gate}` and the like are filled in.

import type { Language } from '@callgate/contract/rest/member'
import { wholeWordsIn } from '@callgate/contract/wholeWords'
import type { Plural } from '../text/plural.ts'

/** The sentences of one language. Names are in the nominative or after a colon, so that no language has to inflect them. */
export interface Wording {
  /** For dates, days and lists (BCP 47). */
  readonly locale: string
  /** The subject of other mails: `{space}` and `{what}`. */
  readonly subject: string
  readonly invitationSubject: string
  readonly accessSubject: string
  readonly greeting: string
  /** The headline of an invitation: `{name}` and `{count}`. */
  readonly mayOpen: Plural
  readonly mayOpenOneMore: string
  readonly invited: string
  readonly accessAdded: string
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
  readonly cap: Plural
}

export const wordings: Readonly<Record<Language, Wording>> = wholeWordsIn({
  en: {
    locale: 'en-GB',
    subject: '{space}: {what}',
    invitationSubject: '{space}: your link to open the gate',
    accessSubject: '{space}: you can now open {gate}',
    greeting: 'Hello {name},',
    mayOpen: { one: '{name}, you may open 1 gate', other: '{name}, you may open {count}\u00a0gates' },
    mayOpenOneMore: '{name}, you may open one more gate',
    invited: 'This link from {space} opens a page in the browser of your phone. You need no app.',
    accessAdded: '{space} has added it to your page.',
    noGates: 'No gate is assigned to you yet. You will get a message when one is.',
    more: 'Your page shows the rest.',
    link: 'Your personal link:',
    sameLink: 'Your personal link is the same as before:',
    button: 'Open my page',
    secret:
      'Keep it to yourself: whoever has this link can open the gate. Please do not forward this message.',
    trouble:
      'A phone call opens the gate, which takes some seconds. Press again only if the gate stands still. If it stays closed, ask the person who invited you.',
    stranger: 'If you do not know {space}, please delete this message. It was sent automatically.',
    always: 'at any time',
    everyDay: 'every day',
    weekdays: 'Monday to Friday',
    weekends: 'Saturday and Sunday',
    overnight: 'next day',
    from: 'from {time}',
    until: 'until {time}',
    zone: 'time in {zone}',
    cap: { one: '1 opening in all', other: '{count} openings in all' },
  },
  ro: {
    locale: 'ro',
    subject: '{space}: {what}',
    invitationSubject: '{space}: linkul dumneavoastră pentru deschiderea porții',
    accessSubject: '{space}: acum puteți deschide {gate}',
    greeting: 'Bună ziua, {name},',
    mayOpen: {
      one: '{name}, puteți deschide o poartă',
      few: '{name}, puteți deschide {count}\u00a0porți',
      other: '{name}, puteți deschide {count}\u00a0de porți',
    },
    mayOpenOneMore: '{name}, puteți deschide încă o poartă',
    invited:
      'Acest link de la {space} deschide o pagină în browserul telefonului. Nu aveți nevoie de o aplicație.',
    accessAdded: '{space} a adăugat-o pe pagina dumneavoastră.',
    noGates: 'Deocamdată nu aveți acces la nicio poartă. Veți primi un mesaj când veți avea.',
    more: 'Restul se vede pe pagina dumneavoastră.',
    link: 'Linkul dumneavoastră personal:',
    sameLink: 'Linkul dumneavoastră personal este același ca până acum:',
    button: 'Deschideți pagina',
    secret:
      'Păstrați-l doar pentru dumneavoastră: oricine are acest link poate deschide poarta. Vă rugăm să nu redirecționați mesajul.',
    trouble:
      'Poarta se deschide printr-un apel telefonic, care durează câteva secunde. Apăsați din nou doar dacă poarta stă pe loc. Dacă rămâne închisă, întrebați persoana care v-a invitat.',
    stranger: 'Dacă nu cunoașteți {space}, vă rugăm să ștergeți acest mesaj. A fost trimis automat.',
    always: 'oricând',
    everyDay: 'în fiecare zi',
    weekdays: 'de luni până vineri',
    weekends: 'sâmbătă și duminică',
    overnight: 'ziua următoare',
    from: 'începând cu {time}',
    until: 'până la {time}',
    zone: 'ora din {zone}',
    cap: {
      one: 'o deschidere în total',
      few: '{count} deschideri în total',
      other: '{count} de deschideri în total',
    },
  },
  hu: {
    locale: 'hu',
    subject: '{space}: {what}',
    invitationSubject: '{space}: az Ön kapunyitó linkje',
    accessSubject: '{space}: új kapu, amelyet már kinyithat: {gate}',
    greeting: 'Kedves {name}!',
    mayOpen: { other: '{name}, Ön {count}\u00a0kaput nyithat ki' },
    mayOpenOneMore: '{name}, Ön eggyel több kaput nyithat ki',
    invited: 'Ez a link egy oldalt nyit meg a telefonján, alkalmazás nélkül. Küldte: {space}.',
    accessAdded: 'Már az oldalán látható. Hozzáadta: {space}.',
    noGates: 'Egyelőre egyik kapuhoz sincs hozzáférése. Értesítjük, amint kap egyet.',
    more: 'A többi az oldalán látható.',
    link: 'Az Ön személyes linkje:',
    sameLink: 'A személyes linkje ugyanaz, mint eddig:',
    button: 'Oldalam megnyitása',
    secret:
      'Kérjük, őrizze meg magának: akinek megvan ez a link, ki tudja nyitni a kaput. Kérjük, ne továbbítsa ezt az üzenetet.',
    trouble:
      'A kaput telefonhívás nyitja, ez néhány másodpercig tart. Csak akkor nyomja meg újra, ha a kapu áll. Ha zárva marad, forduljon ahhoz, aki meghívta.',
    stranger: 'Ha nem ismeri a feladót ({space}), kérjük, törölje ezt az üzenetet. Automatikusan küldtük.',
    always: 'bármikor',
    everyDay: 'minden nap',
    weekdays: 'hétfőtől péntekig',
    weekends: 'szombat és vasárnap',
    overnight: 'másnap',
    from: 'ettől kezdve: {time}',
    until: 'eddig: {time}',
    zone: 'helyi idő: {zone}',
    cap: { other: 'összesen {count} nyitás' },
  },
  de: {
    locale: 'de',
    subject: '{space}: {what}',
    invitationSubject: '{space}: Ihr Link zum Öffnen des Tors',
    accessSubject: '{space}: Sie können jetzt {gate} öffnen',
    greeting: 'Guten Tag {name},',
    mayOpen: { one: '{name}, Sie dürfen 1 Tor öffnen', other: '{name}, Sie dürfen {count}\u00a0Tore öffnen' },
    mayOpenOneMore: '{name}, Sie dürfen ein weiteres Tor öffnen',
    invited: 'Dieser Link von {space} öffnet eine Seite im Browser Ihres Telefons. Sie brauchen keine App.',
    accessAdded: '{space} hat es auf Ihrer Seite hinzugefügt.',
    noGates: 'Ihnen ist noch kein Tor zugeteilt. Sie erhalten eine Nachricht, sobald das der Fall ist.',
    more: 'Alles Weitere zeigt Ihre Seite.',
    link: 'Ihr persönlicher Link:',
    sameLink: 'Ihr persönlicher Link ist derselbe wie bisher:',
    button: 'Meine Seite öffnen',
    secret:
      'Behalten Sie ihn für sich: Wer diesen Link hat, kann das Tor öffnen. Bitte leiten Sie diese Nachricht nicht weiter.',
    trouble:
      'Ein Anruf öffnet das Tor; das dauert einige Sekunden. Drücken Sie nur dann noch einmal, wenn das Tor stillsteht. Bleibt es geschlossen, wenden Sie sich an die Person, die Sie eingeladen hat.',
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
    cap: { one: 'insgesamt 1 Öffnung', other: 'insgesamt {count} Öffnungen' },
  },
  fr: {
    locale: 'fr',
    subject: '{space} : {what}',
    invitationSubject: '{space} : votre lien pour ouvrir le portail',
    accessSubject: '{space} : vous pouvez maintenant ouvrir {gate}',
    greeting: 'Bonjour {name},',
    mayOpen: {
      one: '{name}, vous pouvez ouvrir {count}\u00a0portail',
      other: '{name}, vous pouvez ouvrir {count}\u00a0portails',
    },
    mayOpenOneMore: '{name}, vous pouvez ouvrir un portail de plus',
    invited:
      'Ce lien de {space} ouvre une page dans le navigateur de votre téléphone. Aucune application n’est nécessaire.',
    accessAdded: '{space} l’a ajouté à votre page.',
    noGates: 'Aucun portail ne vous est encore attribué. Vous recevrez un message dès que ce sera le cas.',
    more: 'Votre page indique le reste.',
    link: 'Votre lien personnel :',
    sameLink: 'Votre lien personnel reste le même :',
    button: 'Ouvrir ma page',
    secret:
      'Gardez-le pour vous : toute personne qui possède ce lien peut ouvrir le portail. Merci de ne pas transférer ce message.',
    trouble:
      'Un appel téléphonique ouvre le portail, ce qui prend quelques secondes. N’appuyez de nouveau que si le portail ne bouge pas. S’il reste fermé, adressez-vous à la personne qui vous a invité.',
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
    cap: { one: '{count} ouverture en tout', other: '{count} ouvertures en tout' },
  },
  it: {
    locale: 'it',
    subject: '{space}: {what}',
    invitationSubject: '{space}: il Suo link per aprire il cancello',
    accessSubject: '{space}: ora può aprire {gate}',
    greeting: 'Buongiorno {name},',
    mayOpen: { one: '{name}, può aprire 1 cancello', other: '{name}, può aprire {count}\u00a0cancelli' },
    mayOpenOneMore: '{name}, può aprire un altro cancello',
    invited: 'Questo link di {space} apre una pagina nel browser del telefono. Non serve alcuna app.',
    accessAdded: '{space} lo ha aggiunto alla Sua pagina.',
    noGates: 'Per ora non Le è assegnato alcun cancello. Riceverà un messaggio quando lo sarà.',
    more: 'Il resto è indicato nella Sua pagina.',
    link: 'Il Suo link personale:',
    sameLink: 'Il Suo link personale è lo stesso di prima:',
    button: 'Apri la mia pagina',
    secret:
      'Lo tenga per sé: chiunque abbia questo link può aprire il cancello. La preghiamo di non inoltrare questo messaggio.',
    trouble:
      'Una telefonata apre il cancello e richiede alcuni secondi. Prema di nuovo solo se il cancello è fermo. Se resta chiuso, si rivolga alla persona che L’ha invitata.',
    stranger: 'Se non conosce {space}, elimini questo messaggio. È stato inviato automaticamente.',
    always: 'in qualsiasi momento',
    everyDay: 'ogni giorno',
    weekdays: 'dal lunedì al venerdì',
    weekends: 'sabato e domenica',
    overnight: 'del giorno dopo',
    from: 'dal giorno {time}',
    until: 'fino al giorno {time}',
    zone: 'ora locale: {zone}',
    cap: { one: '1 apertura in tutto', other: '{count} aperture in tutto' },
  },
  es: {
    locale: 'es',
    subject: '{space}: {what}',
    invitationSubject: '{space}: su enlace para abrir la puerta',
    accessSubject: '{space}: ya puede abrir {gate}',
    greeting: 'Hola, {name}:',
    mayOpen: { one: '{name}, puede abrir 1 puerta', other: '{name}, puede abrir {count}\u00a0puertas' },
    mayOpenOneMore: '{name}, puede abrir una puerta más',
    invited:
      'Este enlace de {space} abre una página en el navegador de su teléfono. No necesita ninguna aplicación.',
    accessAdded: '{space} la ha añadido a su página.',
    noGates: 'Todavía no tiene ninguna puerta asignada. Recibirá un mensaje cuando la tenga.',
    more: 'El resto figura en su página.',
    link: 'Su enlace personal:',
    sameLink: 'Su enlace personal es el mismo de antes:',
    button: 'Abrir mi página',
    secret:
      'No lo comparta: quien tenga este enlace puede abrir la puerta. Por favor, no reenvíe este mensaje.',
    trouble:
      'Una llamada telefónica abre la puerta y tarda unos segundos. Pulse de nuevo solo si la puerta está quieta. Si sigue cerrada, diríjase a la persona que le invitó.',
    stranger: 'Si no conoce {space}, elimine este mensaje. Se ha enviado automáticamente.',
    always: 'en cualquier momento',
    everyDay: 'todos los días',
    weekdays: 'de lunes a viernes',
    weekends: 'sábado y domingo',
    overnight: 'del día siguiente',
    from: 'desde el {time}',
    until: 'hasta el {time}',
    zone: 'hora local: {zone}',
    cap: { one: '1 apertura en total', other: '{count} aperturas en total' },
  },
  uk: {
    locale: 'uk',
    subject: '{space}: {what}',
    invitationSubject: '{space}: ваше посилання, щоб відчиняти ворота',
    accessSubject: '{space}: тепер ви можете відкривати: {gate}',
    greeting: 'Доброго дня, {name}!',
    mayOpen: { other: '{name}, вам надано доступ до {count}\u00a0воріт' },
    mayOpenOneMore: '{name}, вам надано доступ до ще одних воріт',
    invited:
      'Це посилання відкриває сторінку в браузері телефона. Застосунок не потрібен. Надіслано від: {space}.',
    accessAdded: 'Їх уже видно на вашій сторінці. Додано від: {space}.',
    noGates: 'Поки що вам не надано доступу до жодних воріт. Ми повідомимо, щойно він з’явиться.',
    more: 'Решту показано на вашій сторінці.',
    link: 'Ваше особисте посилання:',
    sameLink: 'Ваше особисте посилання не змінилося:',
    button: 'Відкрити мою сторінку',
    secret:
      'Нікому його не передавайте: кожен, хто має це посилання, може відчинити ворота. Будь ласка, не пересилайте цей лист.',
    trouble:
      'Ворота відчиняє телефонний дзвінок, це триває кілька секунд. Натискайте ще раз, лише якщо ворота стоять. Якщо вони залишаються зачиненими, зверніться до того, хто вас запросив.',
    stranger: 'Якщо назва {space} вам невідома, будь ласка, видаліть цей лист. Його надіслано автоматично.',
    always: 'у будь-який час',
    everyDay: 'щодня',
    weekdays: 'з понеділка до п’ятниці',
    weekends: 'у суботу та неділю',
    overnight: 'наступного дня',
    from: 'з {time}',
    until: 'до {time}',
    zone: 'час за поясом {zone}',
    cap: { many: 'усього {count} відчинень', other: 'усього {count} відчинення' },
  },
})
