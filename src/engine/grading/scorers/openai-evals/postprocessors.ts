import { strip } from '../python/strings.ts'

/** openai/evals' postprocessors of a solver's answer, by name. */
export const postprocessors: Readonly<Record<'Strip' | 'RemoveQuotes' | 'RemovePeriod', (answer: string) => string>> = {
  Strip: answer => strip(answer),
  RemoveQuotes: answer => (/^(["'])[^]*\1$/.test(answer) && answer.length > 1 ? answer.slice(1, -1) : answer),
  RemovePeriod: answer => (answer.endsWith('.') ? answer.slice(0, -1) : answer),
}
