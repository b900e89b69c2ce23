import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders whose files take seconds each: begun last, one of them would keep the others waiting at the end. */
const slow = /\/test\/(?:faults|journeys|api|engine\/grading\/sandbox|unit\/storage)\//

/** Slow folders before all others, and within each of the two as Vitest would have it. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(file => slow.test(file.moduleId)), ...sorted.filter(file => !slow.test(file.moduleId))]
  }
}
