// Hungarian: the mails on incidents.

import type { AlertWording } from '../alertWording.ts'

export const hu: AlertWording = {
  goOn: { other: '{count}\u00a0probléma vár Önre' },
  areOver: { other: '{count}\u00a0probléma megszűnt' },
  since: 'Kezdete: {time}.',
  lasted: 'A hiba ideje: {time}.',
  more: 'A többit a kezelőfelület mutatja.',
  button: 'Kezelőfelület megnyitása',
  why: 'Azért kapja ezt az üzenetet, mert értesítést kér a hibákról ({space}). A kezelőfelületen, a fiókjában kikapcsolhatja.',
  kinds: {
    gateway_offline: {
      begun: 'Nem elérhető az átjáró: {name}',
      over: 'Újra elérhető az átjáró: {name}',
      means: 'Amíg vissza nem tér, nem nyit kaput.',
      check:
        'Mit ellenőrizzen: van áram? Világítanak a lámpái? Működik a hálózata? Ha igen, kapcsolja ki, majd be az áramát.',
    },
    gate_not_reacting: {
      begun: 'Nem reagál a kapu: {name}',
      over: 'Újra reagál a kapu: {name}',
      means: 'Egymás után három hívás csengett ki, és a kapu nem csinált semmit.',
      check:
        'Mit ellenőrizzen: kap áramot a kapu modulja? Ismeri az átjáró számát? Megváltozott a SIM-kártyája vagy a száma?',
    },
    gate_drifted: {
      begun: 'A hívások már nem illenek a kapuhoz: {name}',
      over: 'A hívások újra illenek a kapuhoz: {name}',
      means: 'A hívásai másképp zajlanak, mint a kalibráláskor. Amit a nyitásokról írunk, téves lehet.',
      check:
        'Mit ellenőrizzen: megváltozott a modulja, a benne lévő SIM-kártya vagy egy beállítás? Hangposta fogadja a hívásokat? Ha a kapu rendben van, kalibrálja újra az oldalán.',
    },
    signal_low: {
      begun: 'Gyenge az átjáró jele: {name}',
      over: 'Újra jó az átjáró jele: {name}',
      means: 'Előfordulhat, hogy a hívások nem jutnak el, és a kapuk zárva maradnak.',
      check: 'Mit ellenőrizzen: be van csavarva az antenna? Kint van, vagy elég magasan?',
    },
    supply_low: {
      begun: 'Gyenge az átjáró tápellátása: {name}',
      over: 'Újra jó az átjáró tápellátása: {name}',
      means: 'A modemje hívás közben leállhat.',
      check: 'Mit tegyen: használjon 2 A-es tápegységet, a modemhez közel, rövid vezetékkel.',
    },
    sim_card: {
      begun: 'Ellenőrizni kell az átjáró SIM-kártyáját: {name}',
      over: 'Újra rendben van az átjáró SIM-kártyája: {name}',
      means:
        'Kevés az egyenlege, vagy közel van, illetve elmúlt az utolsó napja. Nélküle az átjáró egyetlen kaput sem hív.',
      check:
        'Mit ellenőrizzen: az átjáró oldala mutatja az egyenleget és az utolsó napot. Töltse fel, hosszabbítsa meg vagy cserélje ki a kártyát.',
    },
    webhook_stopped: {
      begun: 'Már nem mennek események ide: {name}',
      over: 'Ismét mennek események ide: {name}',
      means: 'A webhook ki van kapcsolva: 410-et válaszolt, vagy öt napja semmi nem jutott el hozzá.',
      check:
        'Mit ellenőrizzen: fut a program, amely fogadja? A webhookok oldala mutatja az utolsó próbálkozásokat. Ott kapcsolja be újra.',
    },
    mail_failing: {
      begun: 'Vannak e-mailek, amelyek nem érkeznek meg',
      over: 'Az e-mailek újra megérkeznek',
      means: 'Legalább egy, a tagoknak vagy felhasználóknak szóló e-mailt nem sikerült elküldeni.',
      check:
        'Mit ellenőrizzen: jó a cím? A tag oldala megmondja, miért nem ment el az e-mail. Ha minden e-mailt érint, szóljon a Callgate üzemeltetőjének.',
    },
  },
}
