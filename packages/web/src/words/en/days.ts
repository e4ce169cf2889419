// English: the field of a day and its calendar. They are loaded with the pages that have one.

export const days = {
  noLimit: 'no limit',
  choose: (field: string) => `${field}: choose a day`,
  chosen: (field: string, day: string) => `${field}: change ${day}`,
  time: 'Time',
  timeOf: (field: string) => `${field}: time of day`,
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  previousYear: 'Previous year',
  nextYear: 'Next year',
  unread: (text: string, example: string) => `“${text}” is not a date. Type one such as ${example}.`,
  tooEarly: (text: string, first: string) => `${text} is too early. The first possible day is ${first}.`,
  tooLate: (text: string, last: string) => `${text} is too late. The last possible day is ${last}.`,
  noTime: (text: string) => `“${text}” is not a time of day. Type one such as 07:30.`,
}
