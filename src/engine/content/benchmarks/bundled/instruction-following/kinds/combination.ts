import { type Constraint, rank } from './constraint.ts'

const twoResponses: Constraint = {
  id: 'combination:two_responses',
  decides: ['layout', 'start', 'end'],
  excludes: ['layout', 'start', 'end', 'language', 'sentences'],
  plan: draw => {
    const wording = draw.pick([
      'Give two different answers and separate them by six asterisks (******).',
      'Offer exactly two versions that differ, with ****** between them and nowhere else.',
    ])
    return {
      layout: list => {
        const half = Math.ceil(list.length / 2)
        return [list.slice(0, half), list.slice(half)].map(part => part.join(' ')).join('\n******\n')
      },
      state: () => ({ wording, kwargs: {} }),
    }
  },
}

const repeatPrompt: Constraint = {
  id: 'combination:repeat_prompt',
  decides: ['start', 'fixed case'],
  excludes: ['start', 'case', 'language', 'sentences'],
  plan: (draw, topic) => {
    const wording = draw.pick([
      'Begin by repeating the first sentence of this message word for word and answer it after that. Say nothing before you repeat it.',
      'Before you answer, copy the first sentence of this request without changing anything. Do not write any words ahead of it.',
    ])
    return {
      frame: { rank: rank.repetition, apply: text => `${topic.request}\n\n${text}` },
      state: () => ({ wording, kwargs: { prompt_to_repeat: topic.request } }),
    }
  },
}

export const combinationKinds: readonly Constraint[] = [twoResponses, repeatPrompt]
