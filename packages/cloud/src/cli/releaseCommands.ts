// The operator's commands on releases of the gateway: what they do and print.

import { open } from 'node:fs/promises'
import { releaseName, releasesPath } from '@callgate/contract/release/releaseList'
import { codeOf } from '../backup/operatorFiles.ts'
import {
  addRelease,
  archivesOf,
  listReleases,
  releaseFolder,
  withdrawReleases,
} from '../release/releaseShelf.ts'
import { listSpaces } from '../space/spaces.ts'
import { dropStage, type ReadStage, readStages, writeStage } from '../update/stageRows.ts'
import {
  type CommandParts,
  type CommandWork,
  columns,
  type FileWork,
  type Options,
  refuse,
} from './commandWork.ts'

/** Notes are a few sentences for an owner. */
const mostNotes = 500

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

const add: FileWork = async ({ config, files }, { file = '' }) => {
  const source = await files.at(file, as =>
    open(file, 'r').catch((error: unknown) =>
      codeOf(error) === 'ENOENT' ? 'there is no such file' : `it cannot be read${as}: ${codeOf(error)}`,
    ),
  )
  if (typeof source === 'string') return refuse(`${file}: ${source}.`)
  try {
    const added = await addRelease(
      releaseFolder(config.dataFolder),
      source.createReadStream({ autoClose: false }),
    )
    if (!added.ok) return refuse(`${file}: ${added.message}.`)
    const { keyId, release } = added
    const path = `${releasesPath}/${releaseName(release)}`
    return {
      ok: true,
      json: { ...release, keyId, path },
      text: [
        `Version ${release.version} for ${release.architecture} is published at ${path}: ${megabytes(release.bytes)}.`,
        `The key ${keyId} has signed it. Compare it with yours: a gateway takes it only when its package pins this key.`,
      ].join('\n'),
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return refuse(`${file}: it cannot be copied: ${error.code}.`)
  } finally {
    await source.close()
  }
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** To whom a version is released, and whether it was halted. */
function sayStage(stage: ReadStage | undefined): string {
  if (!stage) return 'nobody'
  const { halted, percent, spaces } = stage
  const some = [
    percent > 0 ? `${percent} % of the Spaces` : '',
    spaces.length > 0 ? plural(spaces.length, 'Space') : '',
  ]
  const to = percent === 100 ? 'all Spaces' : some.filter(part => part !== '').join(' and ') || 'nobody'
  return halted
    ? `${to}; HALTED ${halted.at}: ${halted.by} took it back (${halted.why ?? 'it does not say why'})`
    : to
}

const list: CommandWork = async ({ config, database }) => {
  const releases = await listReleases(releaseFolder(config.dataFolder))
  const stages = await readStages(database.knex)
  const shown = releases.map(({ architecture, bytes, version }) => {
    const stage = stages.find(one => one.version === version)
    const { halted = null, percent = 0, spaces = [] } = stage ?? {}
    return { version, architecture, bytes, percent, spaces, halted }
  })
  return {
    ok: true,
    json: { releases: shown },
    text: columns(
      ['version', 'architecture', 'size', 'offered to'],
      shown.map(({ architecture, bytes, version }) => [
        version,
        architecture,
        megabytes(bytes),
        sayStage(stages.find(one => one.version === version)),
      ]),
    ),
  }
}

/** The Spaces of the options; a message for a person where they are wrong. */
async function sharesOf({ database }: Pick<CommandParts, 'database'>, { all, percent, spaces }: Options) {
  if ([all, percent, spaces].filter(option => option !== undefined).length === 0)
    return 'Say to whom: --spaces, --percent or --all.'
  if (all && percent !== undefined) return 'Give --all or --percent, not both.'
  const share = all ? 100 : Number(percent ?? 0)
  if (!/^\d{1,3}$/.test(percent ?? '0') || share > 100)
    return '--percent must be a whole number from 0 to 100.'
  const ids = [...new Set((spaces ?? '').split(',').map(id => id.trim()))].filter(id => id !== '')
  const known = new Set((await listSpaces(database)).map(({ spaceId }) => spaceId))
  const unknown = ids.find(id => !known.has(id))
  if (unknown !== undefined) return `There is no Space ${unknown}; see "callgate space list".`
  return { percent: share, spaces: ids }
}

/** Offers a version to some Spaces; the owners of these may then allow it for their gateways. */
const stage: CommandWork = async (parts, options) => {
  const { config, database, world } = parts
  const { notes, version = '' } = options
  const archives = await archivesOf(releaseFolder(config.dataFolder), version)
  if (archives.length === 0)
    return refuse(`No release of version ${version} is published here; see "callgate release list".`)
  const shares = await sharesOf(parts, options)
  if (typeof shares === 'string') return refuse(shares)
  if (notes !== undefined && notes.length > mostNotes)
    return refuse(`--notes must have at most ${mostNotes} characters.`)
  const before = (await readStages(database.knex)).find(one => one.version === version)
  if (before?.halted && !options['resume'])
    return refuse(
      `Version ${version} is halted: ${before.halted.by} took it back (${before.halted.why ?? 'it does not say why'}). Release a better one; or add --resume.`,
    )
  const kept = notes ?? before?.notes ?? null
  await database.write(tx => writeStage(tx, world, { version, archives, notes: kept, ...shares }))
  const staged = (await readStages(database.knex)).find(one => one.version === version)
  return {
    ok: true,
    json: { version, archives, notes: kept, ...shares },
    text: `Version ${version} is offered to ${sayStage(staged)}. A gateway installs it only where an owner allows that.`,
  }
}

const withdraw: CommandWork = async ({ config, database }, { version = '' }) => {
  const withdrawn = await withdrawReleases(releaseFolder(config.dataFolder), version)
  await database.write(tx => dropStage(tx, version))
  if (withdrawn === 0)
    return refuse(`No release of version ${version} is published; see "callgate release list".`)
  return {
    ok: true,
    json: { version, withdrawn },
    text: `Version ${version} is withdrawn. A gateway that has it already keeps it.`,
  }
}

export const releaseFileWork = { add } satisfies Record<string, FileWork>
export const releaseWork = { list, stage, withdraw } satisfies Record<string, CommandWork>
