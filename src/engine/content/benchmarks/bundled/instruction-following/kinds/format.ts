import { type Constraint, rank } from './constraint.ts'

const bullets: Constraint = {
  id: 'detectable_format:number_bullet_lists',
  decides: ['layout'],
  excludes: ['layout', 'quotes', 'language', 'sentences'],
  plan: draw => {
    const count = draw.int(2, 5)
    const wording = draw.pick([
      `Give the answer as exactly ${count} bullet points, each on a line of its own that begins with "- ".`,
      `Write a list of ${count} points. Start every point with a dash and a space.`,
      `Use exactly ${count} markdown bullets. A bullet looks like "- This is one point."`,
    ])
    return {
      layout: list => {
        const points = list.slice(0, count - 1)
        return [...points, list.slice(count - 1).join(' ')].map(point => `- ${point}`).join('\n')
      },
      state: () => ({ wording, kwargs: { num_bullets: count } }),
    }
  },
}

const title: Constraint = {
  id: 'detectable_format:title',
  decides: ['start'],
  excludes: ['start', 'language', 'sentences'],
  plan: (draw, topic) => {
    const wording = draw.pick([
      'Put a title in double angular brackets at the top, for example <<My title>>.',
      'Begin with a title that is wrapped like this: <<title>>.',
      'The answer needs a title in double angle brackets, as in <<A short title>>.',
    ])
    return { frame: { rank: rank.title, apply: text => `<<${topic.title}>>\n${text}` }, state: () => ({ wording, kwargs: {} }) }
  },
}

const highlights: Constraint = {
  id: 'detectable_format:number_highlighted_sections',
  decides: [],
  excludes: ['language'],
  plan: draw => {
    const count = draw.int(1, 4)
    const parts = count === 1 ? 'part' : 'parts'
    const wording = draw.pick([
      `Highlight at least ${count} ${parts} of the text with single asterisks, like *this*.`,
      `Mark ${count} ${parts} of the answer or more in markdown italics, for example *important words*.`,
    ])
    return {
      sentences: list => list.map((sentence, i) => (i < count ? highlightEnd(sentence) : sentence)),
      state: () => ({ wording, kwargs: { num_highlights: count } }),
    }
  },
}

const sections: Constraint = {
  id: 'detectable_format:multiple_sections',
  decides: ['layout', 'fixed case'],
  excludes: ['layout', 'case', 'language', 'sentences'],
  plan: draw => {
    const splitter = draw.pick(['Section', 'Part', 'Chapter'])
    const count = draw.int(2, 4)
    const wording = draw.pick([
      `Divide the answer into ${count} sections. Mark the beginning of each with ${splitter} and its number, such as "${splitter} 1".`,
      `The answer must have ${count} sections that are headed ${splitter} 1, ${splitter} 2 and so on.`,
    ])
    return {
      layout: list =>
        Array.from({ length: count }, (_, i) => {
          const own = list.filter((_sentence, j) => Math.floor((j * count) / list.length) === i)
          return `${splitter} ${i + 1}\n${own.join(' ')}`
        }).join('\n'),
      state: () => ({ wording, kwargs: { section_spliter: splitter, num_sections: count } }),
    }
  },
}

const json: Constraint = {
  id: 'detectable_format:json_format',
  decides: ['layout', 'start', 'end', 'commas', 'fixed case'],
  excludes: ['layout', 'start', 'end', 'case', 'commas', 'language', 'sentences'],
  plan: draw => {
    const wording = draw.pick([
      'Reply with valid JSON and nothing else.',
      'The entire output must be a JSON object.',
      'Wrap the whole answer in JSON. Code fences are allowed.',
    ])
    return { layout: list => JSON.stringify({ answer: list.join(' ') }), state: () => ({ wording, kwargs: {} }) }
  },
}

const verdicts = ['My answer is yes.', 'My answer is no.', 'My answer is maybe.'] as const

const constrainedResponse: Constraint = {
  id: 'detectable_format:constrained_response',
  decides: ['fixed case'],
  excludes: ['case', 'language', 'layout'],
  plan: draw => {
    const verdict = draw.pick(verdicts)
    const wording = draw.pick([
      `Include one of these sentences word for word: ${verdicts.map(text => `"${text}"`).join(' or ')}.`,
      `Decide for one of the following and say it in exactly these words: ${verdicts.map(text => `"${text}"`).join(' / ')}.`,
    ])
    return { frame: { rank: rank.verdict, apply: text => `${verdict} ${text}` }, state: () => ({ wording, kwargs: {} }) }
  },
}

/** The last word of a sentence, without its full stop, between asterisks. */
function highlightEnd(sentence: string): string {
  return sentence.replace(/(\S+)\.$/, '*$1*.')
}

export const formatKinds: readonly Constraint[] = [bullets, title, highlights, sections, json, constrainedResponse]
