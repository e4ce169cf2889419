// The words for a person whose name is not kept, in the language of a file's reader.

import { deletedMember, notKept } from '@callgate/contract/identityWords'
import type { Language } from '@callgate/contract/language'

const deleted: Readonly<Record<Language, string>> = {
  en: 'Deleted member',
  ro: 'Membru șters',
  hu: 'Törölt tag',
  de: 'Gelöschtes Mitglied',
  fr: 'Membre supprimé',
  it: 'Membro eliminato',
  es: 'Miembro eliminado',
  uk: 'Видалений учасник',
}

const forgotten: Readonly<Record<Language, string>> = {
  en: 'Name no longer kept',
  ro: 'Numele nu se mai păstrează',
  hu: 'A név már nincs tárolva',
  de: 'Name nicht mehr gespeichert',
  fr: "Nom qui n'est plus conservé",
  it: 'Nome non più conservato',
  es: 'Nombre que ya no se conserva',
  uk: 'Ім’я більше не зберігається',
}

/** The name in the form for people, also that of an actor. */
export function sayPerson(name: string, language: Language): string {
  if (name === deletedMember) return deleted[language]
  return name === notKept || name === `user:${notKept}` ? forgotten[language] : name
}
