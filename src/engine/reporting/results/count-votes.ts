/** Longer answers are texts that hardly ever repeat; a vote among them says nothing. */
const longestVote = 200

interface Votes {
  /** @param answer undefined where it was not read, which no vote can be; null where the scorer found none, which votes like an answer */
  add(answer: string | null | undefined, value: number): void
  /** The score of the answer that was given most often, the first of equals; null where not every answer can vote. */
  winner(): number | null
}

/** The answers to one task, for self-consistency: Wang et al. 2023, as lm-evaluation-harness's `majority_vote` counts. */
export function createVotes(): Votes {
  const votes = new Map<string | null, { count: number; readonly value: number }>()
  let canVote = true
  return {
    add: (answer, value) => {
      if (answer === undefined || (answer !== null && answer.length > longestVote)) {
        canVote = false
        return
      }
      const vote = votes.get(answer) ?? { count: 0, value }
      vote.count++
      votes.set(answer, vote)
    },
    winner: () => {
      let best: { readonly count: number; readonly value: number } | null = null
      for (const vote of votes.values()) if (best === null || vote.count > best.count) best = vote
      return canVote && best !== null ? best.value : null
    },
  }
}
