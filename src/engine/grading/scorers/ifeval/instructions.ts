import { type Checker, type Kwargs, type MakeChecker } from './checker.ts'
import { contentCheckers } from './content.checkers.ts'
import { formatCheckers } from './format.checkers.ts'
import { keywordCheckers } from './keyword.checkers.ts'
import { languageCheckers } from './language.checkers.ts'
import { lengthCheckers } from './length.checkers.ts'
import { messageOf } from '../../../../lib/message-of.ts'

/** The instructions of a set: their ids, and the checker of each with its arguments. */
export interface Instructions {
  readonly ids: readonly string[]
  /** @throws Error naming the instruction when it is unknown or an argument is missing */
  checker(id: string, kwargs: Kwargs): Checker
}

export function checkerFinder(families: readonly Readonly<Record<string, MakeChecker>>[]): Instructions {
  const checkers = new Map(families.flatMap(family => Object.entries(family)))
  return {
    ids: [...checkers.keys()],
    checker: (id, kwargs) => {
      const make = checkers.get(id)
      if (!make) throw new Error(`the instruction ${JSON.stringify(id)} is not known`)
      try {
        return make(kwargs)
      } catch (error) {
        throw new Error(`the instruction ${id} cannot be checked: ${messageOf(error)}`)
      }
    },
  }
}

export const ifevalInstructions = checkerFinder([keywordCheckers, lengthCheckers, formatCheckers, contentCheckers, languageCheckers])
