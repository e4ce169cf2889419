// Sentences with a number, in the form that the number takes in a language.

/** The forms of a sentence by the plural categories of Unicode CLDR; a category that is not there takes `other`. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

/** The form for `count` in the language of `locale` (BCP 47). */
export function formFor(forms: Plural, count: number, locale: string): string {
  return forms[new Intl.PluralRules(locale).select(count)] ?? forms.other
}
