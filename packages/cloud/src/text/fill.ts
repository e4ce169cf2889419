// Sentences in any language, with places that are filled in.

/** The sentence with each `{name}` replaced by its value. Once only: a value that itself holds braces stays as it is. */
export function fill(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}
