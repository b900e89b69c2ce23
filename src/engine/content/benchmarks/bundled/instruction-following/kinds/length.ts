import { type Constraint, countWords, untilLong } from './constraint.ts'

const words: Constraint = {
  id: 'length_constraints:number_words',
  decides: [],
  excludes: ['language'],
  plan: draw => {
    const wantsMore = draw.int(0, 1) === 0
    return {
      state: answer => {
        const count = countWords(answer)
        const limit = wantsMore ? Math.floor((count * 0.85) / 5) * 5 : Math.ceil((count * 1.1 + 1) / 5) * 5
        const wording = wantsMore
          ? draw.pick([
              `Write at least ${limit} words.`,
              `The answer should have ${limit} words or more.`,
              `Do not stay below ${limit} words.`,
            ])
          : draw.pick([`Write less than ${limit} words.`, `Stay under ${limit} words.`, `The answer must be shorter than ${limit} words.`])
        return { wording, kwargs: { num_words: limit, relation: wantsMore ? 'at least' : 'less than' } }
      },
      broken: (plain, kwargs) =>
        wantsMore ? firstSentence(plain) : untilLong(plain, text => countWords(text) >= Number(kwargs['num_words'])),
    }
  },
}

const sentences: Constraint = {
  id: 'length_constraints:number_sentences',
  decides: ['sentences'],
  excludes: ['language'],
  plan: draw => {
    const wantsMore = draw.int(0, 1) === 0
    return {
      state: answer => {
        const count = ends(answer)
        const limit = wantsMore ? Math.max(2, count - draw.int(0, 2)) : count + draw.int(2, 4)
        const wording = wantsMore
          ? draw.pick([`Use at least ${limit} sentences.`, `The answer needs ${limit} sentences or more.`])
          : draw.pick([`Use less than ${limit} sentences.`, `Keep it below ${limit} sentences.`])
        return { wording, kwargs: { num_sentences: limit, relation: wantsMore ? 'at least' : 'less than' } }
      },
      broken: (plain, kwargs) =>
        wantsMore ? firstSentence(plain) : untilLong(plain, text => ends(text) >= Number(kwargs['num_sentences'])),
    }
  },
}

const paragraphs: Constraint = {
  id: 'length_constraints:number_paragraphs',
  decides: ['layout'],
  excludes: ['layout', 'language', 'sentences'],
  plan: draw => {
    const count = draw.int(2, 4)
    const wording = draw.pick([
      `Write ${count} paragraphs and separate them by a line with three asterisks (***).`,
      `The answer should consist of exactly ${count} paragraphs. Put the markdown divider *** between one paragraph and the next.`,
      `Divide the text into ${count} paragraphs with *** between them.`,
    ])
    return { layout: list => inParts(list, count).join('\n***\n'), state: () => ({ wording, kwargs: { num_paragraphs: count } }) }
  },
}

const openers = ['Usually', 'Often', 'Perhaps', 'Clearly', 'Sometimes', 'Naturally'] as const
const ordinals = ['first', 'second', 'third', 'fourth'] as const

const firstWord: Constraint = {
  id: 'length_constraints:nth_paragraph_first_word',
  decides: ['layout', 'start', 'fixed case'],
  excludes: ['layout', 'start', 'case', 'language'],
  plan: draw => {
    const count = draw.int(2, 4)
    const nth = draw.int(1, count)
    const opener = draw.pick(openers)
    const place = ordinals[nth - 1] ?? 'last'
    const wording = draw.pick([
      `Write ${count} paragraphs with an empty line between them. The ${place} paragraph must begin with the word "${opener}".`,
      `Use exactly ${count} paragraphs separated by two line breaks and let the ${place} one start with "${opener}".`,
    ])
    return {
      layout: list =>
        inParts(list, count)
          .map((part, i) => (i === nth - 1 ? `${opener} ${part.slice(0, 1).toLowerCase()}${part.slice(1)}` : part))
          .join('\n\n'),
      state: () => ({ wording, kwargs: { num_paragraphs: count, nth_paragraph: nth, first_word: opener.toLowerCase() } }),
    }
  },
}

/** Splits sentences into paragraphs of about the same length. */
function inParts(sentences: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const from = Math.floor((i * sentences.length) / count)
    return sentences.slice(from, Math.floor(((i + 1) * sentences.length) / count)).join(' ')
  })
}

function ends(text: string): number {
  return text.match(/[.!?](?=\s|"|$)/g)?.length ?? 0
}

function firstSentence(text: string): string {
  return text.slice(0, text.indexOf('.') + 1)
}

export const lengthKinds: readonly Constraint[] = [words, sentences, paragraphs, firstWord]
