// Branches that no test takes, from a report of what was covered, against those that somebody has explained.

/** A file's part of Istanbul's report. */
export interface FileReport {
  readonly path: string
  readonly branchMap: Readonly<Record<string, BranchPlaces>>
  readonly b: Readonly<Record<string, readonly number[]>>
}

interface Place {
  readonly start: { readonly line?: number | undefined }
}
interface BranchPlaces {
  readonly loc: Place
  readonly locations: readonly Place[]
}

/** Branches that no test can take, or none should, with the reason; a line stands for all its branches. */
export interface Explained {
  readonly why: string
  /** Lines as they stand in the source, without their indentation, by file below `packages`. */
  readonly lines: Readonly<Record<string, readonly string[]>>
}

/** The lines that have a branch which was never taken, without their indentation. */
export function missingLines({ b, branchMap }: FileReport, source: string): readonly string[] {
  const lines = source.split('\n')
  const missing = Object.entries(branchMap).flatMap(([id, { loc, locations }]) =>
    (b[id] ?? []).flatMap((count, at) =>
      count === 0 ? [locations[at]?.start.line ?? loc.start.line ?? 0] : [],
    ),
  )
  const numbers = [...new Set(missing)].sort((one, other) => one - other)
  return numbers.map(line => (lines[line - 1] ?? '').trim())
}

/** How many branches a file has, and how many of them were taken. */
export function countBranches({ b }: FileReport): { readonly all: number; readonly taken: number } {
  const counts = Object.values(b).flat()
  return { all: counts.length, taken: counts.filter(count => count > 0).length }
}

/** What is wrong: a line that nobody has explained, and an explanation that is not needed any more. */
export function unexplained(
  missing: Readonly<Record<string, readonly string[]>>,
  explained: readonly Explained[],
): readonly string[] {
  const known = explained.flatMap(({ lines }) =>
    Object.entries(lines).flatMap(([file, texts]) => texts.map(text => ({ file, text }))),
  )
  const isKnown = (file: string, text: string) => known.some(one => one.file === file && one.text === text)
  return [
    ...Object.entries(missing).flatMap(([file, texts]) =>
      texts.filter(text => !isKnown(file, text)).map(text => `${file}: no test takes a branch of: ${text}`),
    ),
    ...known
      .filter(({ file, text }) => !missing[file]?.includes(text))
      .map(({ file, text }) => `${file}: explained, and taken or gone: ${text}`),
  ]
}
