import type { Draw } from '../../../../../tasks/draw.ts'
import { type Constraint, evasion } from './constraint.ts'

const existence: Constraint = {
  id: 'keywords:existence',
  decides: [],
  excludes: ['language'],
  plan: (draw, topic) => {
    const keywords = draw.sample(topic.keywords, draw.int(2, 3))
    const wording = draw.pick([
      `Make sure that the words ${listed(keywords)} occur.`,
      `Use each of these words at least once: ${keywords.join(', ')}.`,
      `The answer has to contain ${listed(keywords)}.`,
    ])
    return { state: () => ({ wording, kwargs: { keywords } }), broken: () => evasion }
  },
}

const forbidden: Constraint = {
  id: 'keywords:forbidden_words',
  decides: [],
  excludes: ['language'],
  plan: (draw, topic) => {
    const words = draw.sample(topic.absent, draw.int(2, 3))
    const wording = draw.pick([
      `Do not use the words ${listed(words)} anywhere.`,
      `These words are off limits: ${words.join(', ')}.`,
      `Leave out the words ${listed(words)} entirely.`,
    ])
    return {
      state: () => ({ wording, kwargs: { forbidden_words: words } }),
      broken: plain => `${plain} This is about the ${words[0]} too.`,
    }
  },
}

const frequency: Constraint = {
  id: 'keywords:frequency',
  decides: [],
  excludes: ['language'],
  plan: (draw, topic) => {
    const [keyword = ''] = draw.sample(topic.keywords, 1)
    return draw.int(0, 2) > 0 ? mentionedOften(draw, keyword) : mentionedRarely(draw, keyword)
  },
}

function mentionedOften(draw: Draw, keyword: string): ReturnType<Constraint['plan']> {
  const mentions = draw.sample(
    [
      `All of this leads back to the ${keyword}.`,
      `Much depends on the ${keyword}.`,
      `Few people think of the ${keyword} first.`,
      `The ${keyword} deserves a second look.`,
    ],
    draw.int(1, 3),
  )
  return {
    sentences: sentences => [...sentences, ...mentions],
    state: answer => {
      const frequency = occurrences(answer, keyword)
      const wording = draw.pick([
        `The word "${keyword}" should appear at least ${frequency} times.`,
        `Mention "${keyword}" ${frequency} times or more.`,
        `Let the word "${keyword}" come up no fewer than ${frequency} times.`,
      ])
      return { wording, kwargs: { keyword, frequency, relation: 'at least' } }
    },
    broken: () => evasion,
  }
}

function mentionedRarely(draw: Draw, keyword: string): ReturnType<Constraint['plan']> {
  return {
    state: answer => {
      const frequency = occurrences(answer, keyword) + 1
      const wording = draw.pick([
        `The word "${keyword}" should appear less than ${frequency} times.`,
        `Keep "${keyword}" to fewer than ${frequency} mentions.`,
        `Use the word "${keyword}" less than ${frequency} times.`,
      ])
      return { wording, kwargs: { keyword, frequency, relation: 'less than' } }
    },
    broken: (plain, kwargs) =>
      `${plain} ${Array.from({ length: Number(kwargs['frequency']) }, () => `Think of the ${keyword}.`).join(' ')}`,
  }
}

/** A rare letter and a word that holds it. */
type LetterAndWord = readonly [letter: string, word: string]

const rare: readonly [LetterAndWord, ...LetterAndWord[]] = [
  ['q', 'quite'],
  ['z', 'dozen'],
  ['x', 'extra'],
  ['j', 'just'],
]

const letterFrequency: Constraint = {
  id: 'keywords:letter_frequency',
  decides: [],
  excludes: ['language'],
  plan: draw => {
    if (draw.int(0, 1) === 0) {
      const [letter, word] = draw.pick(rare)
      return {
        state: answer => {
          const most = occurrences(answer, letter) + draw.int(1, 2)
          const wording = draw.pick([
            `The letter ${letter} should appear less than ${most} times.`,
            `Use the letter "${letter}" fewer than ${most} times in the whole answer.`,
          ])
          return { wording, kwargs: { letter, let_frequency: most, let_relation: 'less than' } }
        },
        broken: (plain, kwargs) => `${plain} ${Array.from({ length: Number(kwargs['let_frequency']) }, () => word).join(' ')}`,
      }
    }
    const letter = draw.pick(['e', 't', 'a', 'n', 'i'])
    return {
      state: answer => {
        const least = Math.max(4, Math.floor(occurrences(answer, letter) * 0.8))
        const wording = draw.pick([
          `The letter ${letter} should appear at least ${least} times.`,
          `Let the letter "${letter}" occur no fewer than ${least} times.`,
        ])
        return { wording, kwargs: { letter, let_frequency: least, let_relation: 'at least' } }
      },
      broken: () => evasion,
    }
  },
}

function occurrences(text: string, part: string): number {
  return text.toLowerCase().split(part).length - 1
}

function listed(words: readonly string[]): string {
  const quoted = words.map(word => `"${word}"`)
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`
}

export const keywordKinds: readonly Constraint[] = [existence, forbidden, frequency, letterFrequency]
