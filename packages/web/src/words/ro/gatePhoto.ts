// Romanian: the photo of a gate.

import type { gatePhoto as english } from '../en/gatePhoto.ts'

export const gatePhoto: typeof english = {
  title: 'Fotografie',
  none: 'Oaspeții cu mai multe porți o recunosc pe aceasta după fotografie. Locul și alte date ascunse sunt scoase înainte de trimitere.',
  shown: 'Oaspeții o văd lângă numele porții.',
  choose: 'Alege o fotografie',
  replace: 'Înlocuiește',
  remove: 'Șterge',
  sending: 'Se salvează…',
  unreadable: 'Browserul nu poate citi acest fișier ca imagine. Alege un JPEG sau un PNG.',
  notSaved: 'Nu s-a salvat.',
  notTaken: 'Imaginea nu este acceptată. Alege alta.',
  changed: 'Altcineva a schimbat între timp fotografia. Uită-te la ea, apoi alege din nou.',
  removeTitle: 'Ștergi fotografia?',
  removeText: 'Nu poate fi adusă înapoi de aici.',
  removing: 'Se șterge…',
}
