import { type Checker, type Kwargs, type MakeChecker } from './checker.ts'
import { contentCheckers } from './content.checkers.ts'
import { formatCheckers } from './format.checkers.ts'
import { keywordCheckers } from './keyword.checkers.ts'
import { languageCheckers } from './language.checkers.ts'
import { lengthCheckers } from './length.checkers.ts'

const checkers: ReadonlyMap<string, MakeChecker> = new Map(
  [keywordCheckers, lengthCheckers, formatCheckers, contentCheckers, languageCheckers].flatMap(family => Object.entries(family)),
)

/** Every instruction that can be checked. */
export const instructionIds: readonly string[] = [...checkers.keys()]

/**
 * The checker of an instruction with its arguments.
 * @throws Error naming the instruction when it is unknown or an argument is missing
 */
export function instructionChecker(id: string, kwargs: Kwargs): Checker {
  const make = checkers.get(id)
  if (!make) throw new Error(`the instruction ${JSON.stringify(id)} is not known`)
  try {
    return make(kwargs)
  } catch (error) {
    throw new Error(`the instruction ${id} cannot be checked: ${error instanceof Error ? error.message : String(error)}`)
  }
}
