import type { JudgeDefinition } from '../../../contract/evaluators/evaluator-definition.schemas.ts'
import { passes } from './judge-plan.ts'

/** One judge's verdict in one vote, both orders and all repairs taken together. */
export interface Vote {
  readonly judge: number
  readonly vote: number
  readonly verdict: string | null
  /** Why there is no verdict; else the judge's reasons. */
  readonly reason: string
  /** Whether the two orders gave different verdicts; null where only one was asked or one gave none. */
  readonly flipped: boolean | null
  /** In [0, 1] where the vote counts for something else than its verdict does: the mean of two orders. */
  readonly value?: number
}

/** What the votes come to. */
export interface Count {
  /** Null where the votes come to no single verdict. */
  readonly verdict: string | null
  /** In [0, 1]; null: unscored. */
  readonly value: number | null
  readonly explanation: string
}

/** Votes of one question put together by the definition's rule. A vote without a verdict is left out; half of them or more, and nothing is decided. */
export function countVotes(judge: JudgeDefinition, votes: readonly Vote[]): Count {
  const given = votes.filter(vote => vote.verdict !== null)
  if (given.length === 0 || (votes.length > 1 && given.length * 2 <= votes.length)) return undecided(whyMissing(votes, given.length))
  const counts = new Map<string, number>()
  for (const { verdict } of given) counts.set(verdict ?? '', (counts.get(verdict ?? '') ?? 0) + 1)
  const most = Math.max(...counts.values())
  const leaders = [...counts].filter(([, count]) => count === most).map(([verdict]) => verdict)
  const [leader = ''] = leaders
  const tally = [...counts].map(([verdict, count]) => `${verdict} ${count}`).join(', ')
  if (judge.combine === 'mean' || judge.swap_rule === 'average') {
    const value = given.reduce((sum, vote) => sum + (vote.value ?? valueOf(judge, vote.verdict ?? '')), 0) / given.length
    return { verdict: leaders.length === 1 ? leader : null, value, explanation: explain(judge, given, leader, tally) }
  }
  if (judge.combine === 'unanimous' && counts.size > 1) return undecided(`The votes are not unanimous: ${tally}.`)
  if (leaders.length === 1) return { verdict: leader, value: valueOf(judge, leader), explanation: explain(judge, given, leader, tally) }
  const tie = tieOf(judge)
  if (tie === null) return undecided(`The votes are tied: ${tally}.`)
  return { verdict: tie, value: valueOf(judge, tie), explanation: `The votes are tied: ${tally}.` }
}

/** The menu's own word for "neither": only pairwise menus have one. */
export function tieOf({ mode, menu }: JudgeDefinition): string | null {
  return mode === 'pairwise' ? (menu.find(({ value }) => value.toLowerCase() === 'tie')?.value ?? null) : null
}

/** A verdict as a number in [0, 1]: a scale from its lowest to its highest number, a pair as the first output's win, else pass or fail. */
export function valueOf({ mode, menu }: JudgeDefinition, verdict: string): number {
  if (mode === 'pairwise') return verdict.toLowerCase() === 'a' ? 1 : verdict.toLowerCase() === 'b' ? 0 : 0.5
  if (mode !== 'score') return passes(menu, verdict) ? 1 : 0
  const numbers = menu.map(({ value }) => Number(value))
  const low = Math.min(...numbers)
  return (Number(verdict) - low) / (Math.max(...numbers) - low)
}

function undecided(explanation: string): Count {
  return { verdict: null, value: null, explanation }
}

function whyMissing(votes: readonly Vote[], given: number): string {
  const [first] = votes.filter(vote => vote.verdict === null)
  const reason = first?.reason ?? 'There are no votes.'
  return votes.length > 1 ? `${votes.length - given} of ${votes.length} votes have no verdict. ${reason}` : reason
}

function explain(judge: JudgeDefinition, given: readonly Vote[], leader: string, tally: string): string {
  const reason = given.find(({ verdict }) => verdict === leader)?.reason ?? ''
  const votes = given.length > 1 || judge.votes * judge.judges.length > 1 ? `Votes: ${tally}. ` : ''
  return `${votes}${reason}`.trim() || `Verdict: ${leader}.`
}
