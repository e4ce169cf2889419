// The text for a word from the cloud; a newer cloud may send words that this page does not have.

/** Undefined where the page has no text for the word. */
export const textFor = <Text>(
  texts: Readonly<Record<string, Text>>,
  word: string | null,
): Text | undefined => (word !== null && Object.hasOwn(texts, word) ? texts[word] : undefined)
