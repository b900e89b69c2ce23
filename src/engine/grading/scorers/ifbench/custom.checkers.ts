import type { MakeChecker } from '../ifeval/checker.ts'
import { splitSentences } from '../ifeval/split-sentences.ts'
import { splitWords, strip } from '../python/strings.ts'
import { plainWords } from './words.ts'

const capitals = (
  'Reykjavik Helsinki Oslo Tallinn Stockholm Riga Moscow Copenhagen Vilnius Minsk Dublin Berlin Amsterdam Warsaw London Brussels Prague ' +
  'Luxembourg Paris Vienna Bratislava Budapest Vaduz Chisinau Bern Ljubljana Zagreb'
).split(' ')
/** Countries of Africa. */
const fewestCountries = 52
/** Napoleon's life. */
const [firstYear, lastYear] = [1769, 1821]
const special = /[!@#$%^&*()+=[\]{}|\\;:'"<>?/~`_]/

export const customCheckers: Readonly<Record<string, MakeChecker>> = {
  'custom:multiples': () => response => (response.match(/\d+/g) ?? []).join(' ') === '14 21 28 35 42 49',

  'custom:mcq_count_length': () => response => {
    if (!response.startsWith('Question')) return false
    const questions = response
      .split(/Question \d+/)
      .map(text => strip(text))
      .filter(text => text !== '')
      .map(readQuestion)
    return questions.length === 4 && questions.every(({ options, length }, i) => options === 5 && length > (questions[i - 1]?.length ?? -1))
  },

  'custom:reverse_newline': () => response => {
    const [start, end] = [response.indexOf('Zimbabwe'), response.indexOf('Algeria')]
    if (start < 0 || end < start) return false
    const countries = response
      .slice(start, end + 'Algeria'.length)
      .split('\n')
      .map(line => unaccented(strip(line)))
      .filter(line => line !== '')
    return countries.length >= fewestCountries && countries.every((country, i) => i === 0 || country <= (countries[i - 1] ?? ''))
  },

  'custom:word_reverse': () => response => plainWords(response.toLowerCase()).toReversed().join(' ').includes('bald eagle'),

  'custom:character_reverse': () => response => response.toLowerCase().includes('elgae dlab'),

  'custom:sentence_alphabet': () => response => {
    const sentences = splitSentences(response)
    return sentences.length === 26 && sentences.every((sentence, i) => sentence.toLowerCase().startsWith(String.fromCodePoint(97 + i)))
  },

  'custom:european_capitals_sort': () => response => {
    const given = response.split(',').map(name => unaccented(strip(name, ' \n\t.')))
    return given.length === capitals.length && given.every((name, i) => name === capitals[i])
  },

  'custom:csv_city': () => response => isTable(cellsOf(response, ','), 'ID Country City Year Count', 7),

  'custom:csv_special_character': () => response => {
    const rows = cellsOf(response, ',')
    const quoted = response.match(/"[^"]*"/g) ?? []
    return isTable(rows, 'ProductID Category Brand Price Stock', 14) && quoted.some(text => special.test(text.slice(1, -1)))
  },

  'custom:csv_quotes': () => response => {
    const lines = strip(response).split('\n')
    return (
      isTable(cellsOf(response, '\t'), 'StudentID Subject Grade Semester Score', 3) &&
      lines.every(line => line.split('\t').every(cell => /^".*"$/.test(strip(cell))))
    )
  },

  'custom:date_format_list': () => response =>
    strip(response)
      .split(',')
      .every(text => {
        const date = strip(text)
        const year = Number(/^(\d{4})-\d{2}-\d{2}$/.exec(date)?.[1] ?? 0)
        const read = new Date(`${date}T00:00:00Z`)
        return year >= firstYear && year <= lastYear && !Number.isNaN(read.valueOf()) && read.toISOString().startsWith(date)
      }),
}

function readQuestion(text: string): { readonly options: number; readonly length: number } {
  const lines = text.split('\n').map(line => strip(line))
  const isOption = (line: string) => /^[A-Ea-e][.)|]\s*\w/.test(line)
  const first = lines.findIndex(isOption)
  return {
    options: lines.filter(isOption).length,
    length: splitWords(lines.slice(0, first < 0 ? lines.length : first).join(' ')).join(' ').length,
  }
}

function unaccented(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '')
}

/** The cells of each line; a delimiter between quotes is text. */
function cellsOf(text: string, delimiter: string): readonly (readonly string[])[] {
  return strip(text)
    .split('\n')
    .map(line => {
      const cells = ['']
      let isQuoted = false
      for (const char of strip(line, ' \r')) {
        if (char === '"') isQuoted = !isQuoted
        else if (char === delimiter && !isQuoted) cells.push('')
        else cells.push(`${cells.pop() ?? ''}${char}`)
      }
      return cells.map(cell => strip(cell))
    })
}

/** Whether there are this many rows below the header, each with a cell for every column. */
function isTable(rows: readonly (readonly string[])[], header: string, count: number): boolean {
  const columns = header.split(' ')
  return (
    rows.length === count + 1 &&
    columns.every((column, i) => rows[0]?.[i] === column) &&
    rows.every(({ length }) => length === columns.length)
  )
}
