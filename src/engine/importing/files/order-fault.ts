import { nameFew } from '../../../lib/format/name-few.ts'
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

/** Of what cannot be imported, further ones are only named. */
const mostReasons = 5

/** Why each cannot be imported, beside a choice of the others. @param file that names those whose reason is not told */
export function reasonsOf(refused: readonly { readonly name: string; readonly problem: FileProblem }[], file: string): FileProblem[] {
  const others = refused.slice(mostReasons).map(({ name }) => `"${name}"`)
  return [
    ...refused.slice(0, mostReasons).map(({ problem }) => problem),
    ...(others.length === 0 ? [] : [{ file, line: null, message: `Nor can these be imported: ${nameFew(others, 10)}.` }]),
  ]
}
