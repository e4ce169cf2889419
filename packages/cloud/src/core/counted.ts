// Writes a number of things in words.

/** Such as "1 Space" and "2 Spaces"; for nouns whose plural ends with an s. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
