// The configuration of a draft, whose files are not yet in their place.

import { expect, it } from 'vitest'
import { configOf } from './interview.ts'

const given = { environment: {}, folder: '/etc/callgate/cloud' }

it.each(['/etc/callgate/cloud/database.pem', '%2Fetc%2Fcallgate%2Fcloud%2Fdatabase.pem'])(
  'names the file of the database where it is staged: %s',
  path => {
    const DATABASE_URL = `postgres://callgate@db.example.com/callgate?sslmode=verify-full&sslrootcert=${path}`
    const read = configOf(given, { variables: { DATABASE_URL }, files: { 'database.pem': '' } }, '/staged')
    if (!read.ok) throw new Error(read.message)
    expect(new URL(read.config.databaseUrl).searchParams.get('sslrootcert')).toBe('/staged/database.pem')
  },
)
