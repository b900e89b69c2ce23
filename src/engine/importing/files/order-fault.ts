import type { Tallied } from './import-tally.ts'

type FileProblem = Tallied['problems'][number]

/** What the files of an import say of themselves cannot be carried out; no row was read. */
export class OrderFault extends Error {
  override readonly name = 'OrderFault'
  readonly problems: readonly FileProblem[]

  constructor(problems: readonly FileProblem[]) {
    super(problems[0]?.message ?? '')
    this.problems = problems
  }
}

export function orderFault(file: string, line: number | null, message: string): OrderFault {
  return new OrderFault([{ file, line, message }])
}
