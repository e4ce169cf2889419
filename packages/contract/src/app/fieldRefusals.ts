// Refusals of one field: what a schema says of a value that does not fit it, and what the cloud says of schedules.

/** A field of a body, as its message names it. */
export interface InField {
  readonly field: string
}

const items = (of: number, noun: string) => `${of} ${noun}${of === 1 ? '' : 's'}`

/** `remark`: what the schema says of the field, for a person who reads English; empty where it says nothing. */
const ofSchema = {
  field_missing: ({ field }: InField) => `${field} is required`,
  field_words: ({ field, words }: InField & { readonly words: string }) => `${field} must be one of ${words}`,
  field_type: ({ field, type }: InField & { readonly type: string }) => `${field} must be ${type}`,
  field_short: ({ field, least }: InField & { readonly least: number }) =>
    `${field} must have at least ${items(least, 'character')}`,
  field_long: ({ field, most }: InField & { readonly most: number }) =>
    `${field} must have at most ${most} characters`,
  field_unreadable: ({ field }: InField) =>
    `${field} must be visible text without control characters, direction marks or broken Unicode`,
  field_link: ({ field }: InField) => `${field} must not hold :// or www., since mails print it`,
  field_form: ({ field }: InField) => `${field} has not the right form`,
  field_like: ({ example, field, remark }: InField & { readonly example: string; readonly remark: string }) =>
    `${field} must be like ${example}${remark}`,
  field_few: ({ field, least, remark }: InField & { readonly least: number; readonly remark: string }) =>
    `${field} must have at least ${items(least, 'item')}${remark}`,
  field_many: ({ field, most }: InField & { readonly most: number }) =>
    `${field} must have at most ${most} items`,
  field_small: ({ field, least }: InField & { readonly least: number }) =>
    `${field} must be at least ${least}`,
  field_large: ({ field, most }: InField & { readonly most: number }) => `${field} must be at most ${most}`,
}

const ofSchedules = {
  schedule_window_empty: ({ field }: InField) =>
    `${field} must differ from its from; for the whole day leave timeWindows out, and a day ends at 00:00`,
  schedule_bound: ({ field }: InField) =>
    `${field} must be a date with a time, such as 2026-12-24T08:00:00+02:00, or without an offset on the wall clock of the schedule's zone`,
  schedule_order: ({ field }: InField) =>
    `${field} must be after startsAt; when both lie in the hour of a DST change, give them with an offset`,
  schedule_zone: ({ example, field }: InField & { readonly example: string }) =>
    `${field} must be the IANA name of a time zone, such as ${example}`,
}

export const fieldRefusals = { ...ofSchema, ...ofSchedules }
