import { type Constraint, rank } from './constraint.ts'

const contacts = ['[name]', '[phone number]', '[date]', '[address]', '[place]', '[time]'] as const

const placeholders: Constraint = {
  id: 'detectable_content:number_placeholders',
  decides: [],
  excludes: ['language'],
  plan: draw => {
    const count = draw.int(1, 4)
    const used = draw.sample(contacts, count)
    const wording = draw.pick([
      `The answer must contain at least ${count} ${count === 1 ? 'placeholder' : 'placeholders'} in square brackets, such as [name].`,
      `Leave ${count} ${count === 1 ? 'gap' : 'gaps'} or more to be filled in later and write each in square brackets, for example [address].`,
    ])
    return {
      sentences: list => [...list, ...used.map(gap => `Please note ${gap} here.`)],
      state: () => ({ wording, kwargs: { num_placeholders: count } }),
    }
  },
}

const postscript: Constraint = {
  id: 'detectable_content:postscript',
  decides: ['end', 'fixed case'],
  excludes: ['end', 'case', 'language', 'sentences'],
  plan: draw => {
    const marker = draw.pick(['P.S.', 'P.P.S'])
    const note = draw.pick(['A short reply would be welcome.', 'More will follow soon.', 'Questions are always welcome.'])
    const wording = draw.pick([
      `At the end add a postscript that starts with "${marker}".`,
      `Finish with a postscript introduced by "${marker}".`,
      `Add one more remark after the end of the text and begin it with "${marker}".`,
    ])
    return {
      frame: { rank: rank.ending, apply: text => `${text}\n${marker} ${note}` },
      state: () => ({ wording, kwargs: { postscript_marker: marker } }),
    }
  },
}

const closings = ['That is all for today.', 'Thank you for reading.', 'And so it should stay.', 'Now it is your turn.'] as const

const endPhrase: Constraint = {
  id: 'startend:end_checker',
  decides: ['end', 'fixed case'],
  excludes: ['end', 'case', 'language'],
  plan: draw => {
    const phrase = draw.pick(closings)
    const wording = draw.pick([
      `End with exactly this sentence and let nothing follow it: "${phrase}"`,
      `The very last words must be "${phrase}"`,
      `Close the answer with the phrase "${phrase}" and stop there.`,
    ])
    return {
      frame: { rank: rank.ending, apply: text => `${text}\n${phrase}` },
      state: () => ({ wording, kwargs: { end_phrase: phrase } }),
    }
  },
}

const quotation: Constraint = {
  id: 'startend:quotation',
  decides: ['start', 'end', 'quotes'],
  excludes: ['start', 'end'],
  plan: draw => {
    const wording = draw.pick([
      'Wrap the entire answer in double quotation marks.',
      'Put double quotes around the whole answer.',
      'The answer must begin and end with a double quotation mark.',
    ])
    return { frame: { rank: rank.quotes, apply: text => `"${text}"` }, state: () => ({ wording, kwargs: {} }) }
  },
}

const noComma: Constraint = {
  id: 'punctuation:no_comma',
  decides: ['commas'],
  excludes: ['commas'],
  plan: draw => {
    const wording = draw.pick(['Do not use any commas.', 'Write without a single comma.', 'Commas are not allowed anywhere in the answer.'])
    return { state: () => ({ wording, kwargs: {} }), broken: plain => `Well, ${plain.slice(0, 1).toLowerCase()}${plain.slice(1)}` }
  },
}

export const contentKinds: readonly Constraint[] = [placeholders, postscript, endPhrase, quotation, noComma]
