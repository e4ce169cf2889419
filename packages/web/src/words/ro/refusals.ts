// Romanian: the refusals of the cloud by their names.

import type { RefusedKind } from '@callgate/contract/number/refusedRanges'
import type { Refusals } from '../en/refusals.ts'
import { textFor } from '../known.ts'
import { count } from './counted.ts'
import { labels } from './refusedFields.ts'
import { webhookRefusals } from './webhookRefusals.ts'

const mails = (of: number) => count(of, 'un e-mail', 'e-mailuri')
/** Whole hours are precise enough for a time of most of a day. */
function nextMail(waitS: number): string {
  const after =
    waitS > 3600
      ? count(Math.ceil(waitS / 3600), 'o oră', 'ore')
      : count(Math.ceil(waitS / 60), 'un minut', 'minute')
  return `Următorul se poate trimite peste ${after}. Nu s-a făcut nimic.`
}

const characters = (of: number) => count(of, 'un caracter', 'caractere')

const kinds: Readonly<Record<RefusedKind, string>> = {
  premium: 'numere cu suprataxă',
  sharedCost: 'numere cu cost împărțit',
  personal: 'numere personale, redirecționate pe cheltuiala celui care sună',
  directory: 'servicii de informații telefonice',
  emergency: 'numere de urgență sau scurte',
  satellite: 'rețele prin satelit sau internaționale',
  fiction: 'filme, cărți și spații de test, care nu sunt niciodată ale cuiva',
  areaCode: 'nicio linie, fiindcă un prefix de zonă începe cu 2 până la 9',
}
/** For a newer kind, only the number. */
const range = (prefix: string, kind: RefusedKind) =>
  Object.hasOwn(kinds, kind) ? `începe cu ${prefix} (${kinds[kind]})` : `începe cu ${prefix}`

/** `„Nume”`, of `accesses[0].name`. */
function label(field: string): string {
  const name =
    field
      .replaceAll(/\[\d+\]$/g, '')
      .split('.')
      .at(-1) ?? field
  return `„${textFor(labels, name) ?? name}”`
}
/** The types of JSON. */
const types = {
  integer: 'un număr întreg',
  number: 'un număr',
  string: 'un text',
  boolean: 'da sau nu',
  array: 'o listă',
  object: 'un obiect',
  null: 'gol',
}
/** `string or null`, in the notation of the cloud. */
const typesOf = (type: string) =>
  type
    .split(' or ')
    .map(one => textFor(types, one) ?? one)
    .join(' sau ')

export const refusals: Refusals = {
  ...webhookRefusals,
  request_running: () =>
    'Prima cerere încă nu s-a terminat. Trimite-o din nou peste puțin timp ca să afli răspunsul.',
  request_answer_lost: () => 'S-a făcut deja, dar răspunsul nu mai poate fi citit. Încarcă pagina din nou.',

  members_busy: () => 'Alții schimbă membri chiar acum, deci nu s-a schimbat nimic. Încearcă din nou.',
  members_changed: () =>
    'Cineva a schimbat între timp unii dintre acești membri, deci nu s-a schimbat nimic. Verifică din nou schimbările.',
  member_without_email: () =>
    'Membrul nu are o adresă de e-mail la care să se trimită invitația. Scrie-i mai întâi una.',
  member_inactive: () => 'Membrul nu este activ. Reactivează-l sau creează alt membru.',
  member_has_gate: () => 'Membrul are deja un acces la această poartă. Adaugă-i acolo alte programe.',
  external_id_taken: ({ id }) => `${id} are deja acest identificator extern.`,
  member_linked: () => 'Acest membru este deja legat de alt utilizator.',

  only_owner: () =>
    'Acesta este singurul proprietar, iar un spațiu păstrează cel puțin unul. Fă mai întâi pe altcineva proprietar.',
  user_known: ({ email }) => `${email} este deja utilizator al acestui spațiu.`,
  roles_changed: () => 'Rolurile utilizatorului s-au schimbat între timp.',
  codes_on: () => 'Aplicația de autentificare este deja configurată. Elimin-o mai întâi.',
  codes_off: () => 'Nu este configurată nicio aplicație de autentificare.',
  codes_locked: () =>
    'S-au dat prea multe coduri greșite, deci aici nu se mai primește niciun cod al aplicației. Dă un cod de recuperare sau întreabă-l pe cel care administrează acest Callgate.',
  codes_not_begun: () => 'Nu există un secret de confirmat. Ia-o de la început.',
  passkeys_full: ({ most }) =>
    `Un utilizator are cel mult ${count(most, 'o cheie', 'chei')} de acces. Șterge una care nu se mai folosește.`,
  passkey_known: () => 'Această cheie de acces există deja.',

  calibration_none: () => 'Această poartă nu se calibrează acum. Începe mai întâi o calibrare.',
  calibration_goes_on: () => 'Această poartă se calibrează deja. Continuă sau încheie mai întâi calibrarea.',
  calibration_unfinished: () => 'Fă întâi apelurile de probă și spune după fiecare dacă poarta s-a mișcat.',
  calibration_cannot_tell: () =>
    'Apelurile de probă nu arată cum preia poarta un apel, deci nu este nimic de salvat.',
  calibration_misread: () =>
    'Cu acest profil, unul dintre apelurile de probă ar fi înțeles greșit. Salvează ce se propune sau spune profilul manual.',
  calibration_rung_too_short: () =>
    'Ar suna mai puțin decât a sunat poarta la un apel de probă până s-a mișcat. Salvează ce se propune sau las-o să sune mai mult.',
  calibration_full: ({ most }) =>
    `După ${count(most, 'un apel', 'apeluri')} o calibrare trebuie luată de la început.`,
  test_call_unclear: () => 'Acest apel de probă încă durează sau nu spune nimic despre poartă.',
  test_call_running: () => 'Ultimul apel de probă încă durează.',
  test_call_unanswered: () => 'Spune mai întâi dacă poarta s-a mișcat după ultimul apel de probă.',
  test_call_needless: () =>
    'Nu mai este nevoie de apeluri de probă. Salvează ce arată ele sau începe din nou.',
  test_call_rest: ({ leftS }) =>
    `Poarta trebuie să stea pe loc: mai așteaptă ${count(leftS, 'o secundă', 'secunde')}.`,
  hidden_call_early: () => 'Apelul cu numărul ascuns vine după o propunere.',
  hidden_call_made: () => 'Apelul cu numărul ascuns a fost făcut deja.',

  gateway_asked: () => 'Acestui gateway i se cere deja altceva. Încearcă din nou peste câteva clipe.',
  gateway_too_old: () => 'Versiunea acestui gateway nu poate face asta. Actualizează-l.',
  gateway_shut_out: () => 'Acest gateway este exclus definitiv. Creează-i o cheie nouă și adaugă-l din nou.',
  gateway_key_known: () =>
    'Alt gateway are deja această cheie publică. Fiecare gateway primește cheia lui: o face „gateway keygen”.',
  gateway_key_held: ({ gateway }) =>
    `Gateway-ul ${gateway} din acest spațiu are deja această cheie publică. Fiecare gateway primește cheia lui: o face „gateway keygen”.`,
  gateway_key_revoked: ({ gateway }) =>
    `Gateway-ul ${gateway} din acest spațiu are deja această cheie publică și este exclus. Fiecare gateway primește cheia lui: o face „gateway keygen”.`,
  sim_without_code: () => 'Nu există un cod cu care să se întrebe. Scrie mai întâi codul rețelei.',
  sim_asking: () => 'Rețeaua este întrebată deja.',
  sim_asked: () => 'Rețeaua a fost întrebată acum mai puțin de un minut. Așteaptă puțin.',
  setup_no_number: () => 'Scrie mai întâi numărul cartelei SIM a gateway-ului.',
  setup_cannot_send: () => 'Versiunea acestui gateway nu poate trimite mesaje. Actualizează-l.',
  setup_number_refused: ({ kind, prefix }) =>
    `Numărul porții ${range(prefix, kind)}, iar un astfel de număr nu se sună niciodată.`,
  setup_too_many: () =>
    'Acestei porți i s-au trimis cinci mesaje în ultimele 24 de ore. Trimite-l pe următorul de pe un telefon.',
  setup_opening: () => 'Tocmai se deschide o poartă. Trimite mesajul după aceea.',
  update_by_hand: () =>
    'Programul acestui gateway nu primește actualizări de aici. Actualizează-l o dată chiar la gateway.',
  update_not_offered: ({ version }) =>
    `Versiunea ${version} nu se oferă acum acestui gateway. Uită-te din nou.`,

  sandbox_gateway: () => 'Un spațiu de test nu are gateway-uri. Adaugă-l într-un spațiu obișnuit.',
  proof_of_sandbox: () => 'Un spațiu de test nu sună pe nimeni, deci nu este nimic de dovedit.',
  enrolment_own_broker: () =>
    'Conturile de la brokerul acestui cloud le ține operatorul lui, deci niciun cod nu poate admite un gateway. Adaugă-l cu cheia lui publică; sau operatorul setează MQTT_ADMIN_URL.',
  enrolments_full: ({ most }) =>
    `Cel mult ${count(most, 'un cod', 'coduri')} pot aștepta deodată. Retrage mai întâi unul.`,
  enrolment_replaces_revoked: () =>
    'Gateway-ul care trebuie înlocuit este deja exclus. Adaugă un gateway fără el.',
  enrolment_other_fingerprint: () =>
    'Cifrele sunt acum altele. Compară-le încă o dată cu cele pe care le arată gateway-ul.',
  enrolment_not_pending: () =>
    'Nu este niciun gateway de confirmat: niciunul nu a luat codul, sau timpul lui a trecut. Creează un cod nou.',
  enrolment_key_known: () =>
    'Alt gateway a fost înscris cu cheia acestuia. Respinge-l și creează un cod nou: pentru fiecare cod un gateway își face altă cheie.',
  enrolment_confirmed: () => 'Gateway-ul a fost confirmat deja. Ca să nu mai aibă acces, exclude-l.',

  proof_lost: () =>
    'Când s-a admis acest apel, cloudul semna cu altă cheie și nu i-a păstrat semnătura, deci nu mai există o dovadă. O dovadă salvată înainte rămâne valabilă cu acea cheie.',

  gateway_limit: ({ limit, used }) =>
    `Acest spațiu poate avea ${count(limit, 'un gateway', 'gateway-uri')}, iar în folosință ${used === 1 ? 'este unul' : `sunt ${used}`}; limita nu se reînnoiește. Exclude unul nefolosit sau cere o limită mai mare.`,
  key_limit: ({ limit, used }) =>
    `Acest spațiu poate avea ${count(limit, 'o cheie API', 'chei API')}, iar în folosință ${used === 1 ? 'este una' : `sunt ${used}`}; limita nu se reînnoiește. Revocă una nefolosită sau cere o limită mai mare.`,
  user_limit: ({ limit, used }) =>
    `Acest spațiu poate avea ${count(limit, 'un utilizator', 'utilizatori')}, iar în folosință ${used === 1 ? 'este unul' : `sunt ${used}`}, cu tot cu invitațiile deschise; limita nu se reînnoiește. Scoate un utilizator, retrage o invitație sau cere o limită mai mare.`,
  gate_limit: ({ limit, used }) =>
    `Acest spațiu poate avea ${count(limit, 'o poartă activă', 'porți active')}, iar în folosință ${used === 1 ? 'este una' : `sunt ${used}`}; limita nu se reînnoiește. Dezactivează o poartă sau cere o limită mai mare.`,
  sandbox_limit: ({ limit, used }) =>
    `Un proprietar poate avea ${count(limit, 'un spațiu de test', 'spații de test')}, iar în folosință ${used === 1 ? 'este unul' : `sunt ${used}`}. Golește unul dintre ele.`,
  invitation_limit: ({ limit, used }) =>
    `Acest spațiu poate avea ${count(limit, 'o invitație', 'invitații')} pe lună, fiecare membru nou fiind una, iar ${used === 1 ? 's-a folosit una' : `s-au folosit ${used}`}. Așteaptă luna viitoare sau cere o limită mai mare.`,

  mails_to_address: ({ most, waitS }) =>
    `Un spațiu poate trimite cel mult ${mails(most)} la aceeași adresă în 24 de ore. ${nextMail(waitS)}`,
  mails_of_space: ({ most, waitS }) =>
    `Acest spațiu poate trimite cel mult ${mails(most)} în 24 de ore. ${nextMail(waitS)}`,

  number_characters: () => 'Numărul poate avea doar cifre, spații și + ( ) - .',
  number_without_digits: () => 'Numărul trebuie să aibă cifre, cu cel mult un + în față.',
  number_short: () => 'Este un număr de urgență sau scurt, care nu se sună niciodată.',
  number_without_country: () => 'Numărul trebuie să înceapă cu + și prefixul țării.',
  number_length: () => 'Numărul trebuie să aibă între 8 și 15 cifre.',
  number_unread: () => 'Acesta nu este un număr de telefon.',
  number_too_long: () => 'Numărul este prea lung pentru țara lui.',
  number_impossible: ({ country }) => `Acesta nu este un număr posibil în ${country}.`,
  number_of_sandbox: () =>
    'Numărul trebuie să fie unul al spațiului de test, cum ar fi +447700900100: fiecare reprezintă un fel în care se termină un apel, și nu este al nimănui.',
  number_range: ({ kind, prefix }) =>
    `Numărul ${range(prefix, kind)}, iar un astfel de număr nu se sună niciodată.`,
  number_country: ({ allowed, country }) =>
    `Numărul este dintr-o țară care nu poate fi sunată (${country}); pot fi sunate ${allowed}. Operatorul serviciului poate schimba lista.`,
  number_calling_code: ({ allowed, code }) =>
    `Numărul are un prefix care nu poate fi sunat (${code}); pot fi sunate ${allowed}. Operatorul serviciului poate schimba lista.`,

  password_short: ({ least, length }) =>
    `Parola trebuie să aibă cel puțin ${characters(least)}; aceasta are ${length}. Câteva cuvinte se țin minte ușor.`,
  password_long: ({ length, most }) =>
    `Parola poate avea cel mult ${characters(most)}; aceasta are ${length}.`,
  password_guessed: () =>
    'Parola este una dintre cele ghicite primele: este obișnuită, se repetă, urmează tastatura sau este făcută din nume ori din e-mail. Alege câteva cuvinte care nu au legătură între ele.',
  code_wrong: () =>
    'Acesta nu este codul pe care îl arată acum aplicația. Verifică dacă ceasul telefonului merge bine.',
  passkey_unchecked: () =>
    'Cheia de acces nu a putut fi verificată sau a durat prea mult. Ia-o de la început.',
  email_unread: () => 'Aceasta nu este o adresă de e-mail.',
  gateway_key_unread: () => 'Cheia publică trebuie să fie cea pe care o arată „gateway keygen”.',
  setup_password: () => 'Parola este așa cum o cere manualul acestei mărci: la cele mai multe patru cifre.',
  setup_place: () =>
    'Locul are trei cifre acolo unde mesajul acestei mărci are un loc, și lipsește unde nu are.',
  key_end_past: () => 'Ziua în care expiră trebuie să fie în viitor.',
  hours_equal: () => 'Cele două ore trebuie să fie diferite.',
  profile_window: () => 'Timpul cel mai scurt în care preia apelul nu poate fi mai mare decât cel mai lung.',
  profile_ring: () => 'Trebuie să sune mai mult decât este setat în modul: altfel închidem noi înaintea lui.',

  field_missing: ({ field }) => `${label(field)} lipsește.`,
  field_words: ({ field, words }) => `${label(field)} trebuie să fie una dintre valorile: ${words}.`,
  field_type: ({ field, type }) => `${label(field)} trebuie să fie ${typesOf(type)}.`,
  field_short: ({ field, least }) => `${label(field)} trebuie să aibă cel puțin ${characters(least)}.`,
  field_long: ({ field, most }) => `${label(field)} poate avea cel mult ${characters(most)}.`,
  field_unreadable: ({ field }) =>
    `${label(field)} trebuie să fie un text care se vede, fără caractere ascunse sau stricate.`,
  field_link: ({ field }) =>
    `${label(field)} nu poate conține :// sau www., fiindcă textul ajunge în e-mailuri.`,
  field_form: ({ field }) => `${label(field)} nu are forma potrivită.`,
  field_like: ({ example, field }) => `${label(field)} trebuie să fie de forma ${example}.`,
  field_few: ({ field, least }) =>
    `${label(field)} trebuie să aibă cel puțin ${count(least, 'o valoare', 'valori')}.`,
  field_many: ({ field, most }) =>
    `${label(field)} poate avea cel mult ${count(most, 'o valoare', 'valori')}.`,
  field_small: ({ field, least }) => `${label(field)} trebuie să fie cel puțin ${least}.`,
  field_large: ({ field, most }) => `${label(field)} poate fi cel mult ${most}.`,

  schedule_window_empty: () =>
    'Orele unui interval trebuie să fie diferite. Pentru toată ziua, șterge intervalul; o zi se termină la 00:00.',
  schedule_bound: ({ field }) =>
    `${label(field)} trebuie să fie o dată cu oră, de exemplu 2026-12-24T08:00:00+02:00.`,
  schedule_order: () => 'Sfârșitul trebuie să fie după început.',
  schedule_zone: ({ example }) => `Fusul orar trebuie să fie un nume IANA, de exemplu ${example}.`,

  file_quotes: () => 'Ghilimelele unei celule sunt greșite: în celulă se scriu de două ori.',
  file_column_unknown: ({ column, known }) => `Coloana ${column} nu este cunoscută; există ${known}.`,
  file_column_twice: ({ column, other }) =>
    `Coloanele ${other} și ${column} spun același lucru. Păstrează una.`,
  file_without_names: ({ known }) => `Prima linie numește coloanele: ${known}. Lipsește name.`,
  file_long: ({ most }) =>
    `Un fișier poate avea cel mult ${count(most, 'o linie', 'linii')}, iar acesta are mai multe. Împarte-l.`,
  file_wide: ({ most }) =>
    `O linie poate avea cel mult ${count(most, 'o celulă', 'celule')}, iar aceasta are mai multe. Șterge-le pe cele goale.`,
  file_line: ({ line }) => `Linia ${line} a fost refuzată, deci nu s-a schimbat nimic.`,
  file_line_long: () => 'Linia are mai multe celule decât prima linie.',
  file_empty: () => 'Fișierul nu numește niciun membru.',
  file_gate_id: ({ column }) => `${column}: nu există o poartă cu acest id.`,
  file_gate_twice: ({ column }) =>
    `${column}: mai multe porți au acest nume. Scrie id-ul porții, într-o coloană gateId.`,
  file_gate_unknown: ({ column }) => `${column}: nu există o poartă cu acest nume.`,
  file_gate_missing: ({ column }) =>
    `${column}: un acces are nevoie de poarta lui. Pentru un membru fără acces, lasă goale și coloanele de după poartă.`,
  file_gate_again: ({ column }) =>
    `${column}: membrul are deja această poartă. Scrie toate orele ei într-o singură linie, cu ; între ele.`,
  file_is_active: ({ column }) => `${column} trebuie să fie da sau nu.`,
  file_max_usage: ({ column }) =>
    `${column} trebuie să fie un număr întreg de la 1 la 2147483647, sau gol pentru fără limită.`,
  file_schedules: ({ column }) =>
    `${column} trebuie să fie ca „Lun-Vin 08:00-18:00”, „Lun-Vin 07:00-19:00; Sâm Dum” sau „mereu”.`,
  file_differs: ({ column }) => `${column} diferă de linia dinainte a acestui membru.`,
  file_apart: ({ column }) => `${column}: liniile unui membru stau una după alta.`,
  file_member_unknown: ({ column }) =>
    `${column}: nu există un membru cu acest id. Lasă-l gol pentru un membru nou.`,
  file_member_off: ({ column }) => `${column}: membrul este dezactivat. Reactivează-l mai întâi.`,
  file_invitations: ({ created, left }) =>
    `Fișierul are ${count(created, 'un membru nou', 'membri noi')}, iar luna aceasta ${left === 1 ? 'a mai rămas o invitație' : `au mai rămas ${count(left, '', 'invitații')}`}.`,
}
