// Romanian: the calibration of a gate.

import type { Words } from '../words.tsx'

export const calibration: Words['calibration'] = {
  title: 'Calibrează',
  of: 'Cum preia poarta un apel',
  what: 'Trei apeluri de probă',
  why: 'Arată ce face modulul porții cu un apel și cât durează. După fiecare spui dacă poarta s-a mișcat. Durează cam cinci minute.',
  stand: 'O poartă reală se va mișca.',
  standWhy: 'Stai unde o vezi și ține oamenii și mașinile departe.',
  forward:
    'Pe cartela SIM din poartă trebuie oprite redirecționarea, mesageria vocală și apelul în așteptare. De pe un telefon cu acea cartelă, formează ##002# și #43#.',
  lookFirst: gateway => `Verifică mai întâi ${gateway}.`,
  lookFirstNone: 'Niciun gateway nu poate suna acum această poartă.',
  toGateway: 'Vezi cum este',
  warnings: {
    no_gateway: 'Niciunul care are voie să o sune nu este online.',
    modem_not_ready: 'Modemul lui nu este pregătit pentru un apel.',
    not_registered: 'Rețeaua mobilă nu i-a primit modemul.',
    number_hidden:
      'Numărul lui este ascuns, deci nicio poartă nu îl poate cunoaște. Cere operatorului cartelei să îl arate.',
    number_not_told:
      'Modemul lui nu spune dacă porțile îi văd numărul. Sună un telefon cu acea cartelă SIM și uită-te ce număr apare.',
    signal_weak: 'Semnalul lui este slab. Pune antena afară sau mai sus.',
    signal_unknown: 'Modemul lui nu spune semnalul.',
    supply_low: 'Alimentarea lui este slabă. Folosește o sursă de 2\u00a0A, aproape de modem.',
  },
  start: 'Începe',
  starting: 'Începe…',
  callOf: call => `Apelul ${call} din 3`,
  callMore: 'Încă un apel',
  callWhy: 'Numără secundele de la apăsare până se mișcă poarta.',
  call: 'Sună poarta',
  rest: leftS => `Poarta se odihnește: ${leftS} s`,
  asking: 'Se întreabă gateway-ul…',
  moves: 'Se mișcă acum',
  moved: afterS => `S-a mișcat după ${afterS} s`,
  waits: 'Lasă apelul să se termine singur. Durează cel mult un minut.',
  noCall: 'Nu a ieșit niciun apel de probă.',
  joined: 'Altcineva tocmai a sunat poarta. Privește-o, apoi sună din nou.',
  ask: call => (call > 3 ? 'Încă un apel: s-a mișcat?' : `Apelul ${call} din 3: s-a mișcat?`),
  askHidden: 'Apelul cu numărul ascuns: s-a mișcat?',
  yes: 'S-a mișcat',
  no: 'A stat pe loc',
  after: 'După câte secunde?',
  afterHint: 'Aproximativ, de la apăsare. Gol dacă nu ai numărat.',
  next: 'Mai departe',
  saving: 'Se salvează…',
  calls: 'Apelurile de probă',
  ends: {
    rejected: time => `Respins după ${time} de sunat`,
    untaken: time => `Încheiat de rețea după ${time} de sunat`,
    answered_released: time => `A răspuns și a închis după ${time}`,
    answered_held: () => 'A răspuns și a rămas pe linie',
    rang: time => `A sunat ${time}, până am închis noi`,
    ended_unrung: () => 'S-a încheiat; nu s-a raportat că sună',
    no_ringing: () => 'Nu s-a raportat că sună',
    blind: () => 'Modemul nu arată cum s-a încheiat',
    unclear: () => 'Nu spune nimic; se face din nou',
  },
  rangFor: (call, time) => `Apelul ${call} a sunat ${time}.`,
  running: 'În curs',
  sawMoved: 's-a mișcat',
  sawMovedAfter: afterS => `s-a mișcat după ${afterS} s`,
  sawStill: 'a stat pe loc',
  hidden: 'număr ascuns',
  correct: 'Corectează',
  correctOf: call => `Corectează ce ai văzut după apelul ${call}`,
  found: 'Ce arată apelurile',
  window: (from, to) => `Face asta după ce a sunat între ${from} și ${to}.`,
  ringsFor: time => `O lăsăm să sune ${time}.`,
  holdsFor: time => `Rămânem pe linie ${time}.`,
  silent: 'Pe această rută nu se raportează că sună.',
  alike: 'Un apel care deschide și unul care nu deschide arată la fel: o deschidere rămâne „probabil”.',
  edit: {
    open: 'Schimbă',
    between: (least, most) => `Secunde de la ${least} la ${most}, de exemplu 2,5.`,
    times: {
      reactMinMs: 'Preia apelul după cel puțin (secunde)',
      reactMaxMs: 'Preia apelul în cel mult (secunde)',
      ringTimeMs: 'Cât sună, cum este setat în modul (secunde)',
      ringHangupMs: 'O lăsăm să sune (secunde)',
      holdMs: 'Rămânem pe linie (secunde)',
    },
  },
  against: {
    mode: 'Apelurile de probă au decurs altfel.',
    calls: 'Cel puțin un apel de probă a durat altfel.',
    order: 'Al doilea timp nu poate fi înaintea primului.',
  },
  accept: 'Salvează',
  refuse: 'Nu salva',
  again: 'Începe din nou',
  byHand: 'Setează manual',
  tryHidden: 'Un apel cu numărul ascuns',
  tryHiddenWhy:
    'Dacă vrei: arată dacă modulul tratează altfel numerele străine. Unele module deschid pentru un număr ascuns, deci poarta se poate mișca.',
  callHidden: 'Sună cu numărul ascuns',
  cannotTell: 'Din aceste apeluri nu se poate spune.',
  reasons: {
    never_moved:
      'Poarta nu s-a mișcat niciodată. Poate că modulul ei nu cunoaște numărul gateway-ului. Adaugă-l acolo, apoi începe din nou.',
    moved_sometimes:
      'Poarta s-a mișcat doar după unele apeluri. Caută cauza la modulul ei, apoi începe din nou.',
    differs:
      'Apelurile au decurs diferit. Așa poate face un modul care comută. Setează manual cum preia un apel.',
    seconds_missing:
      'Depinde de când s-a mișcat poarta. Corectează secundele mai jos, sau începe din nou și numără.',
    seconds_differ:
      'Secundele nu se potrivesc cu apelurile. Corectează-le mai jos, sau începe din nou și numără.',
    moved_late: 'Poarta s-a mișcat mai târziu decât poate suna un apel.',
    modem_blind:
      'Acest modem nu arată dacă poarta răspunde sau respinge. Setează manual cum preia un apel; o deschidere este cel mult presupusă.',
    no_ringing:
      'Rețeaua raportează prea puțin despre aceste apeluri. Setează manual cum preia poarta un apel.',
    diverted:
      'Cartela SIM din poartă redirecționează apelurile sau are apel în așteptare. Oprește asta (##002#, #43#), apoi începe din nou.',
    answered_late:
      'Ceva a răspuns atât de târziu încât poate fi o mesagerie vocală. Oprește-o pe cartela SIM din poartă, apoi începe din nou.',
    ended_by_network: 'Rețeaua a încheiat apelurile, nu poarta. Setează manual cum preia poarta un apel.',
  },
  saved: 'Salvat. Poarta este calibrată.',
  back: 'La poartă',
  measured: (day, by) => `Măsurat pe ${day}${by === '' ? '' : `, de ${by}`}.`,
  usually: time => `În ultimul timp durează ${time}.`,
  doubts: {
    answers_now: 'Acum ceva răspunde la apelurile ei.',
    other_times: 'Apelurile ei se încheie acum la alte momente.',
    other_modem: 'Acum o sună alt modem, cu care nu s-a măsurat nimic.',
    other_operator: 'Acum apelurile ei trec prin altă rețea mobilă, în care nu s-a măsurat nimic.',
  },
  calibrateAgain: 'Calibrează din nou.',
}
