// Romanian: updates of the programs of gateways.

import type { updates as english } from '../en/updates.ts'

export const updates: typeof english = {
  title: 'Program',
  version: 'Versiune',
  versionUnknown: 'încă necunoscută',
  last: 'Ultima actualizare',
  newest: 'Nu se oferă nicio versiune mai nouă.',
  notes: 'Ce este nou (în engleză):',
  newer: version => `Se oferă versiunea ${version}`,
  update: version => `Actualizează la ${version}`,
  updating: 'Se salvează…',
  how: 'Gateway-ul trece la ea între două apeluri. Dacă nu funcționează, gateway-ul revine singur la versiunea dinainte.',
  onlyOwners: 'Un proprietar al spațiului o poate permite.',
  cannot:
    'Programul acestui gateway nu primește actualizări de aici. Actualizează-l o dată chiar la gateway.',
  allowed: version => `Versiunea ${version} este permisă.`,
  allowedHow: 'Gateway-ul este întrebat când este online. Permisiunea ține 7 zile.',
  takeBack: 'Retrage',
  asked: when => `I s-a cerut gateway-ului ${when}.`,
  askedHow: 'Descarcă versiunea, așteaptă un moment fără deschideri și o încearcă 5 minute.',
  states: {
    installed: (version, when) => `${version} este instalată, din ${when}`,
    taken_back: (version, when) => `${version} nu a mers și a fost retrasă, ${when}`,
    refused: (version, when) => `${version} nu a fost instalată, ${when}`,
  },
  otherState: (version, state, when) => `${version}: ${state}, ${when}`,
  causes: {
    wrong_machine: 'Versiunea nu este făcută pentru această mașină. Spune-i operatorului serviciului.',
    not_newer: 'Nu este mai nouă decât cea instalată. Nu este nimic de făcut.',
    version_between: 'Mai întâi vine o versiune dintre cele două. Instaleaz-o manual, la gateway.',
    tried_before: 'A mai fost încercată aici și nu a mers. Așteaptă o versiune mai nouă.',
    other_node: 'Are nevoie de un pachet mai nou. Instalează-l manual la gateway, cum spune ghidul.',
    other_journal: 'De la ea nu ar mai fi cale înapoi. Instaleaz-o manual la gateway, cum spune ghidul.',
    disk_full: 'Cardul gateway-ului este prea plin. Fă loc pe el, apoi permite din nou actualizarea.',
    disk_forgets:
      'Cardul gateway-ului nu păstrează nimic la repornire. Are nevoie de o partiție proprie, cum spune ghidul.',
    disk_failed: 'Cardul gateway-ului nu a putut fi scris sau citit. Verifică-l sau înlocuiește-l.',
    not_signed: 'Nu este ceea ce a semnat autorul programului. Spune-i operatorului serviciului.',
    no_release_key:
      'Pachetul acestui gateway nu primește actualizări. Instalează-l pe următorul manual, la gateway.',
    not_offered: 'Serverul nu o mai oferă. Așteaptă versiunea următoare.',
    not_fetched:
      'Nu a putut fi descărcată. Verifică legătura la internet a gateway-ului, apoi permite din nou actualizarea.',
    fetched_too_often: 'Azi descărcarea nu a reușit de prea multe ori. Se poate descărca din nou mâine.',
    gateway_not_ready:
      'Gateway-ul nu avea legătură cu serverul sau un modem care merge. Rezolvă întâi asta, apoi permite din nou actualizarea.',
    no_pause: 'Nu a fost niciun moment fără deschideri. Permite din nou actualizarea la o oră liniștită.',
    does_not_start: 'Nu pornește pe această mașină. Așteaptă o versiune mai nouă.',
    ended: 'S-a oprit singură. Așteaptă o versiune mai nouă.',
    not_connected:
      'Nu a ajuns la server și la modem în 5 minute. Dacă amândouă sunt bune acum, așteaptă o versiune mai nouă.',
  },
  why: why => `Gateway-ul spune: ${why}`,
  inList: {
    waits: version => `Actualizarea la ${version} așteaptă permisiunea ta`,
    waitsForOwner: version => `Actualizarea la ${version} așteaptă un proprietar`,
    allowed: version => `Actualizarea la ${version} este permisă`,
    byHours: version => `Se actualizează singur la ${version}`,
    byHand: version => `Actualizarea la ${version} se face chiar la gateway`,
    asked: 'Se actualizează acum',
  },
  hours: {
    title: 'Actualizarea gateway-urilor',
    why: 'Fără ore, un proprietar permite fiecare actualizare pe pagina gateway-ului. Cu ore, gateway-urile acestui spațiu instalează versiunile noi la orele acelea, pe rând și între două apeluri.',
    from: 'De la',
    to: 'Până la',
    now: (from, to) => `Gateway-urile se actualizează singure între ${from} și ${to}.`,
    never: 'Gateway-urile nu se actualizează niciodată singure.',
    hint: 'După ceasul spațiului',
    wrong: 'Alege două ore diferite.',
    choose: 'Alege orele',
    save: 'Permite la aceste ore',
    off: 'Niciodată',
    saving: 'Se salvează…',
  },
}
