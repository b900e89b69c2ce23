import { checkerFinder } from '../ifeval/instructions.ts'
import { countCheckers } from './count.checkers.ts'
import { customCheckers } from './custom.checkers.ts'
import { formatCheckers } from './format.checkers.ts'
import { wordOrderCheckers } from './word-order.checkers.ts'

/** The 58 instructions of IFBench's test set (Pyatkin et al. 2025, arXiv:2507.02833), checked as the repository at db69a6f checks them. */
export const ifbenchInstructions = checkerFinder([countCheckers, wordOrderCheckers, formatCheckers, customCheckers])
