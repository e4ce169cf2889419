// The order of the test files: the longest first, so that none of them runs alone at the end.

import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { fileSeconds } from './fileSeconds.ts'

const usualSeconds = 1

const secondsOf = ({ moduleId, project }: TestSpecification) =>
  Object.entries(fileSeconds).find(([path]) => moduleId === `${project.config.root}/${path}`)?.[1] ??
  usualSeconds

/** Sorts by the recorded seconds of the files. An unlisted file counts as one second. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => secondsOf(other) - secondsOf(one))
  }
}
