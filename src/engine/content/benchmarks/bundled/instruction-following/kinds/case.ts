import { type Constraint, evasion, rank } from './constraint.ts'

const capital: Constraint = {
  id: 'change_case:english_capital',
  decides: ['case'],
  excludes: ['case', 'fixed case', 'language'],
  plan: draw => {
    const wording = draw.pick([
      'Write the whole answer in English and in capital letters only.',
      'Use nothing but capital letters and answer in English.',
      'Every letter of your English answer has to be a capital letter.',
    ])
    return { frame: { rank: rank.case, apply: text => text.toUpperCase() }, state: () => ({ wording, kwargs: {} }) }
  },
}

const lowercase: Constraint = {
  id: 'change_case:english_lowercase',
  decides: ['case'],
  excludes: ['case', 'fixed case', 'language'],
  plan: draw => {
    const wording = draw.pick([
      'Write the whole answer in English and in lower case. No capital letters are allowed.',
      'Use lower-case letters only and answer in English.',
      'Your English answer must not contain a single capital letter.',
    ])
    return { frame: { rank: rank.case, apply: text => text.toLowerCase() }, state: () => ({ wording, kwargs: {} }) }
  },
}

const capitalWords: Constraint = {
  id: 'change_case:capital_word_frequency',
  decides: ['fixed case'],
  excludes: ['case', 'language', 'layout'],
  plan: draw => {
    if (draw.int(0, 2) === 0) return fewCapitalWords(draw.int(1, 3))
    const count = draw.int(3, 6)
    const wording = draw.pick([
      `Write at least ${count} words in capital letters only.`,
      `Words in all capital letters should appear ${count} times or more.`,
    ])
    return {
      sentences: list => list.map((sentence, i) => (i < count ? shout(sentence) : sentence)),
      state: () => ({ wording, kwargs: { capital_frequency: count, capital_relation: 'at least' } }),
      broken: () => evasion,
    }
  },
}

function fewCapitalWords(spare: number): ReturnType<Constraint['plan']> {
  return {
    state: answer => {
      const limit = (answer.match(/\b[A-Z]+\b/g)?.length ?? 0) + spare
      return {
        wording: `Words in all capital letters should appear less than ${limit} times.`,
        kwargs: { capital_frequency: limit, capital_relation: 'less than' },
      }
    },
    broken: plain => plain.toUpperCase(),
  }
}

/** The last word of a sentence in capitals. */
function shout(sentence: string): string {
  return sentence.replace(/\w+\*?\.$/, word => word.toUpperCase())
}

export const caseKinds: readonly Constraint[] = [capital, lowercase, capitalWords]
