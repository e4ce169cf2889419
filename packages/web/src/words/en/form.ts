// English: the texts of all forms.

export const form = {
  nameMissing: 'Type a name.',
  long: (most: number) => `At most ${most} characters.`,
  number: {
    wrong: 'Digits, spaces and + only.',
    short: (least: number, most: number) => `Too short: ${least} to ${most} digits.`,
    long: (least: number, most: number) => `Too long: ${least} to ${most} digits.`,
  },
  between: (least: number, most: number) => `A whole number from ${least} to ${most}.`,
  betweenOrEmpty: (least: number, most: number) => `A whole number from ${least} to ${most}, or empty.`,
  theySet: (value: string) => `Somebody else has set this to “${value}”.`,
  theyCleared: 'Somebody else has cleared this.',
  saveMine: 'Save mine',
}
