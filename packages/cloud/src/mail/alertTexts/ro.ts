// Romanian: the mails on incidents.

import type { AlertWording } from '../alertWording.ts'

export const ro: AlertWording = {
  goOn: {
    one: '{count} problemă cere atenția dumneavoastră',
    few: '{count} probleme cer atenția dumneavoastră',
    other: '{count} de probleme cer atenția dumneavoastră',
  },
  areOver: { few: '{count} probleme s-au încheiat', other: '{count} de probleme s-au încheiat' },
  since: 'Din {time}.',
  lasted: 'Problema: {time}.',
  more: 'Panoul arată restul.',
  button: 'Deschideți panoul',
  why: 'Primiți acest mesaj pentru că alertele din {space} sunt pornite în contul dumneavoastră. Le puteți opri acolo.',
  kinds: {
    gateway_offline: {
      begun: 'Gateway-ul {name} este offline',
      over: 'Gateway-ul {name} este din nou online',
      means: 'Până revine, nu deschide nicio poartă.',
      check:
        'Ce puteți verifica: are curent? Luminile lui sunt aprinse? Rețeaua lui funcționează? Dacă da, opriți-i și porniți-i alimentarea.',
    },
    gate_not_reacting: {
      begun: 'Poarta nu reacționează: {name}',
      over: 'Poarta reacționează din nou: {name}',
      means: 'Trei apeluri la rând au sunat, iar poarta nu a făcut nimic.',
      check:
        'Ce puteți verifica: modulul porții are curent? Cunoaște numărul gateway-ului? I s-a schimbat cartela SIM sau numărul?',
    },
    gate_drifted: {
      begun: 'Apelurile nu se mai potrivesc cu poarta {name}',
      over: 'Apelurile se potrivesc din nou cu poarta {name}',
      means: 'Apelurile ei decurg altfel decât la calibrare. Ce se spune despre deschideri poate fi greșit.',
      check:
        'Ce puteți verifica: i s-au schimbat modulul, cartela SIM sau o setare? Răspunde o mesagerie vocală? Dacă poarta este în regulă, calibrați-o din nou pe pagina ei.',
    },
    signal_low: {
      begun: 'Gateway-ul {name} are semnal slab',
      over: 'Gateway-ul {name} are din nou semnal bun',
      means: 'Apelurile pot să nu ajungă, iar atunci porțile rămân închise.',
      check: 'Ce puteți verifica: antena este înșurubată? Este afară sau destul de sus?',
    },
    supply_low: {
      begun: 'Alimentarea este slabă la gateway-ul {name}',
      over: 'Alimentarea este din nou bună la gateway-ul {name}',
      means: 'Modemul lui se poate opri în mijlocul unui apel.',
      check: 'Ce puteți face: folosiți o sursă de 2 A, aproape de modem, cu fire scurte.',
    },
    sim_card: {
      begun: 'Cartela SIM trebuie verificată la gateway-ul {name}',
      over: 'Cartela SIM este din nou în regulă la gateway-ul {name}',
      means:
        'A rămas puțin credit pe ea, sau ultima ei zi este aproape ori a trecut. Fără ea gateway-ul nu sună nicio poartă.',
      check:
        'Ce puteți verifica: pagina gateway-ului arată soldul și ultima zi. Reîncărcați cartela, prelungiți-o sau schimbați-o.',
    },
    webhook_stopped: {
      begun: 'Evenimentele nu mai ajung la {name}',
      over: 'Evenimentele ajung din nou la {name}',
      means: 'Webhook-ul este oprit: a răspuns 410, sau nimic nu a ajuns la el timp de cinci zile.',
      check:
        'Ce puteți verifica: rulează programul care le primește? Pagina webhook-urilor arată ultimele încercări. Porniți-l din nou acolo.',
    },
    mail_failing: {
      begun: 'Unele mesaje nu ajung',
      over: 'Mesajele ajung din nou',
      means: 'Cel puțin un mesaj către membrii sau utilizatorii dumneavoastră nu a putut fi trimis.',
      check:
        'Ce puteți verifica: adresa este corectă? Pagina membrului spune de ce nu a plecat mesajul. Dacă este vorba de toate mesajele, anunțați persoana care administrează acest Callgate.',
    },
  },
}
