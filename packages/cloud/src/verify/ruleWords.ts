// The parts of the rules that differ between SQLite and Postgres.

/** SQL of one database product; each function returns an expression. */
export interface RuleWords {
  /** Whether a text has the form of a time; null where the text is null. */
  isTime(text: string): string
  /** The time of the next day. */
  dayAfter(time: string): string
  /** The text or number in JSON, by its path. On Postgres the query fails where the text is not JSON. */
  jsonAt(json: string, path: readonly string[]): string
  /** Whether a text is JSON, where the product can check that. */
  isJson(text: string): string
}

const twice = '[0-9][0-9]'

export const sqliteWords: RuleWords = {
  isTime: text =>
    `(${text} glob '${twice}${twice}-${twice}-${twice}T${twice}:${twice}:${twice}.${twice}[0-9]Z')`,
  dayAfter: time => `strftime('%Y-%m-%dT%H:%M:%fZ', ${time}, '+1 day')`,
  jsonAt: (json, path) => `json_extract(${json}, '$.${path.join('.')}')`,
  isJson: text => `json_valid(${text})`,
}

export const postgresWords: RuleWords = {
  isTime: text => `(${text} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$')`,
  dayAfter: time =>
    `to_char((cast(${time} as timestamptz) + interval '1 day') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  // Not jsonb, which rejects some texts that JSON allows.
  jsonAt: (json, path) => `(cast(${json} as json) #>> '{${path.join(',')}}')`,
  // Postgres 14 and 15 cannot check it.
  isJson: () => 'true',
}

/** 1 or 0, because each product prints a boolean in its own way. */
export const flag = (condition: string) => `case when ${condition} then 1 else 0 end`

/** A value as text, `null` included. */
export const said = (value: string) => `coalesce(cast(${value} as text), 'null')`
