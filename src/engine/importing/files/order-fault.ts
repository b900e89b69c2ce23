import type { Tallied } from './import-tally.ts'
import type { TaskChoice } from './lm-eval/task-set.ts'

type FileProblem = Tallied['problems'][number]

/** What the files of an import say of themselves cannot be done; no row was read. */
export class OrderFault extends Error {
  override readonly name = 'OrderFault'
  readonly problems: readonly FileProblem[]
  /** What the files hold, where one of it has to be chosen. */
  readonly choices: readonly TaskChoice[]

  constructor(problems: readonly FileProblem[], choices: readonly TaskChoice[] = []) {
    super(problems[0]?.message ?? '')
    this.problems = problems
    this.choices = choices
  }
}

export function orderFault(file: string, line: number | null, message: string): OrderFault {
  return new OrderFault([{ file, line, message }])
}
