// Branches that no test takes: read from a coverage report, and compared with the markers in the source.

/** The part of Istanbul's report that is about one file. */
export interface FileReport {
  readonly path: string
  readonly branchMap: Readonly<Record<string, BranchPlaces>>
  readonly b: Readonly<Record<string, readonly number[]>>
}

interface BranchLocation {
  readonly start: { readonly line?: number | undefined }
}
interface BranchPlaces {
  readonly loc: BranchLocation
  readonly locations: readonly BranchLocation[]
}

/** A marker: the branches of the next line of code need no test, for the reason in the marker. */
const marker = /^\s*\/\/ Not tested: \S/

/** The numbers of the lines with a branch that no test takes. */
function linesNotTaken({ b, branchMap }: FileReport): ReadonlySet<number> {
  return new Set(
    Object.entries(branchMap).flatMap(([id, { loc, locations }]) =>
      (b[id] ?? []).flatMap((count, at) =>
        count === 0 ? [locations[at]?.start.line ?? loc.start.line ?? 0] : [],
      ),
    ),
  )
}

/** The numbers of the lines with a marker above them. The reason may continue over several lines of comment. */
function linesMarked(lines: readonly string[]): ReadonlySet<number> {
  const marked = lines.flatMap((line, at) => {
    if (!marker.test(line)) return []
    const below = lines.slice(at + 1).findIndex(next => !/^\s*\/\//.test(next))
    return [at + 2 + Math.max(0, below)]
  })
  return new Set(marked)
}

/** How many branches a file has, and how many of them were taken. */
export function countBranches({ b }: FileReport): { readonly all: number; readonly taken: number } {
  const counts = Object.values(b).flat()
  return { all: counts.length, taken: counts.filter(count => count > 0).length }
}

/** The faults of a file: a branch without an explanation, and a marker that explains none. */
export function wrongLines(path: string, source: string, report: FileReport | undefined): readonly string[] {
  const lines = source.split('\n')
  const notTaken = report ? linesNotTaken(report) : new Set<number>()
  const marked = linesMarked(lines)
  const say = (number: number, what: string) =>
    `${path}:${number}: ${what}: ${(lines[number - 1] ?? '').trim()}`
  const needless = report
    ? 'marked as not tested, but tests take every branch of'
    : 'marked, but not measured'
  return [
    ...[...notTaken]
      .filter(number => !marked.has(number))
      .map(number => say(number, 'no test takes a branch of')),
    ...[...marked].filter(number => !notTaken.has(number)).map(number => say(number, needless)),
  ]
}
