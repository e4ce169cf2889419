// Romanian: the SIM card of a gateway.

import type { sim as english } from '../en/sim.ts'

export const sim: typeof english = {
  title: 'Cartela SIM',
  warnings: {
    credit_low: [
      'A rămas puțin pe cartela SIM.',
      'Reîncarcă cartela: fără credit nu se mai sună nicio poartă.',
    ],
    expires_soon: [
      'Cartela SIM expiră în curând.',
      'Prelungește-o sau schimb-o la timp: fără ea nu se mai sună nicio poartă.',
    ],
    expired: ['Cartela SIM a expirat.', 'Prelungește-o sau schimb-o, apoi corectează aici ultima ei zi.'],
  },
  states: {
    works: 'Funcționează',
    worksYet: 'Încă funcționează',
    noNetwork: 'Fără rețea',
    broken: 'Nu funcționează',
    notKnown: 'Nu se știe',
  },
  facts: {
    balance: 'Credit',
    notKnown: 'necunoscut',
    answer: 'Rețeaua spune',
    answered: 'Întrebată',
    spent: 'Cheltuit în 30 de zile',
    code: 'Codul care întreabă',
    warnBelow: 'Avertizează sub',
    expiresOn: 'Ultima zi',
  },
  ask: 'Întreabă de credit',
  asking: 'Se întreabă…',
  setCode: 'Scrie codul',
  codeWhy:
    'Operatorul are un cod care spune creditul, de exemplu *100#. Cu el, această pagină avertizează la timp.',
  cannot: version => `Versiunea ${version} nu poate întreba de credit. O versiune mai nouă poate.`,
  notYet: 'De credit se poate întreba când gateway-ul este online.',
  notDone: why => `Ultima dată nu a venit niciun răspuns. ${why}`,
  reasons: {
    busy: 'Gateway-ul făcea altceva.',
    openings_first: 'O deschidere a avut prioritate.',
    stopped: 'Gateway-ul tocmai se oprea.',
    modem_not_ready: 'Modemul nu era pregătit.',
    no_network: 'Modemul nu avea rețea.',
    no_answer: 'Rețeaua nu a răspuns.',
    unclear: 'Rețeaua a trimis mai multe texte și nu se știe care este răspunsul.',
    offline: 'Gateway-ul era offline.',
    restarted: 'Gateway-ul a fost repornit.',
    cannot: 'Versiunea acestui gateway nu poate face asta. Actualizează-l.',
    silent: 'Gateway-ul nu a spus cum s-a terminat.',
  },
  form: {
    code: 'Codul pentru credit',
    codeHint:
      'Îl spune operatorul, de exemplu *100#. Se întreabă o dată pe zi. Gol: niciodată. Rețelele vând opțiuni prin coduri cu o a doua stea, așa că un astfel de cod îl pune doar un proprietar.',
    codeWrong: 'O stea, cifre și un diez, de exemplu *100#.',
    codeRefused:
      'Acest cod nu se trimite: ar putea schimba o setare a rețelei. Folosește unul care doar întreabă, de exemplu *100#.',
    warnBelow: 'Avertizează sub',
    warnBelowHint: 'În moneda răspunsului. Gol: fără avertizare.',
    amountWrong: 'O sumă, de exemplu 5 sau 5,50.',
    expiresOn: 'Ultima zi a cartelei',
    expiresOnHint: 'Cu două săptămâni înainte, această pagină avertizează.',
    changedMeanwhile: 'Altcineva a schimbat între timp. Închide și uită-te înainte să salvezi din nou.',
  },
}
