// Romanian: how the module of a gate is told to let a number in.

import type { Words } from '../words.tsx'

export const letIn: Words['letIn'] = {
  title: 'Cum se permite un număr',
  gateway: 'Gateway',
  brand: 'Marca modulului',
  choose: 'Alege…',
  send: number => `Trimite acest mesaj (SMS) de pe un telefon către modul, ${number}:`,
  message: 'Mesaj către modul',
  password: word =>
    `În locul lui ${word} vine parola modulului. Ea nu se scrie aici, iar Callgate nu o află niciodată.`,
  notes: {
    place: word => `În locul lui ${word} vine un loc liber din lista lui, cu trei cifre, de exemplu 010.`,
    capitals: () => 'Literele mari rămân mari și nu se adaugă nimic.',
    fromAdmin: () => 'Contează doar de pe telefonul unui administrator al modulului.',
  },
  source: manual => `Așa scrie în: ${manual}. Altă versiune poate fi diferită; atunci contează manualul ei.`,
  other: 'Altă marcă? Manualul ei spune cum se permite un număr de telefon.',
}
