// Sentences in any language, with placeholders that are filled in.

/** The sentence with each `{name}` replaced by its value. A value that itself contains braces stays unchanged. */
export function fill(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}
