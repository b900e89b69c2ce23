import type { AnswerFormat } from '../../../../contract/answers/answers.schemas.ts'
import { unpackedName } from '../../../../lib/file-name.ts'
import type { ForeignLog } from '../foreign-log.ts'
import { LogError } from '../foreign-log.ts'
import type { LogFile } from '../log-files.ts'
import { alpacaEval } from './alpaca-eval.ts'
import { braintrust } from './braintrust.ts'
import { deepeval } from './deepeval.ts'
import { evalplusResults } from './evalplus-results.ts'
import type { Sniffed } from './file-marks.ts'
import { helm } from './helm.ts'
import { lighteval } from './lighteval.ts'
import { openAiEvalsLog } from './openai-evals-log.ts'
import { refusedTool } from './refused-tools.ts'

/** Results of a tool that are opened with the scores that it recorded. */
export interface ToolReader {
  readonly tool: string
  /** Whether the first bytes of a file are of it. */
  matches(file: Sniffed): boolean
  /** Other files that say more about its own. */
  uses?(file: Sniffed): boolean
  /** Its files belong together; absent: each is read by itself. */
  readonly isWhole?: true
  /** @throws LogError */
  read(files: readonly LogFile[]): ForeignLog[] | Promise<ForeignLog[]>
}

const readers: readonly ToolReader[] = [helm, lighteval, deepeval, alpacaEval, evalplusResults, openAiEvalsLog, braintrust]

/** Whether files are results of another tool, by their first bytes. */
export function isToolResults(files: readonly Sniffed[]): boolean {
  return files.some(file => readers.some(one => one.matches(file)) || refusedTool(file) !== undefined)
}

const headCharacters = 65_536

/** Results of other tools, which content tells. @throws LogError naming the tool whose results cannot be opened, and what to send instead */
export async function readToolResults(files: readonly LogFile[]): Promise<readonly ForeignLog[]> {
  const sniffed = files.map(file => ({
    file,
    name: unpackedName(file.name.toLowerCase()),
    head: file.bytes.toString('utf8', 0, headCharacters),
  }))
  const owned = sniffed.flatMap(one => {
    const reader = readers.find(each => each.matches(one))
    return reader ? [{ one, reader }] : []
  })
  if (owned.length === 0) throw nothingOf(sniffed)
  const logs: ForeignLog[] = []
  const faults: LogError[] = []
  const used = new Set(owned.map(({ one }) => one))
  for (const [reader, own] of Map.groupBy(owned, each => each.reader)) {
    const beside = sniffed.filter(one => !used.has(one) && reader.uses?.(one))
    for (const one of beside) used.add(one)
    for (const part of reader.isWhole ? [own] : own.map(each => [each])) {
      try {
        logs.push(...(await reader.read([...part.map(({ one }) => one), ...beside].map(({ file }) => file))))
      } catch (error) {
        if (!(error instanceof LogError)) throw error
        faults.push(error)
      }
    }
  }
  const [first, ...others] = logs
  if (!first) throw faults[0] ?? nothingOf(sniffed)
  const left = [...faults.map(({ message }) => message), ...sniffed.filter(one => !used.has(one)).map(describeUnread)]
  return [{ ...first, warnings: [...first.warnings, ...left.map(message => `Left out: ${message}`)] }, ...others]
}

type SniffedFile = Sniffed & { readonly file: LogFile }

/** The tool that writes a file, and what to send instead where it is not opened. */
export function toolOf(file: Sniffed): {
  readonly tool: string
  readonly instead: string | null
  readonly tables?: readonly AnswerFormat[]
} {
  const reader = readers.find(one => one.matches(file))
  return reader ? { tool: reader.tool, instead: null } : (refusedTool(file) ?? { tool: 'another tool', instead: null })
}

function describeUnread({ file, ...sniffed }: SniffedFile): string {
  const known = refusedTool(sniffed)
  return known ? `"${file.name}" is of ${known.tool}. ${known.instead}` : `"${file.name}" holds no results that are read here.`
}

function nothingOf(sniffed: readonly SniffedFile[]): LogError {
  const known = sniffed.find(refusedTool)
  if (known) return new LogError(describeUnread(known))
  return new LogError(
    `Send results of ${readers.map(({ tool }) => tool).join(', ')}, or a table of outputs for a benchmark; "${sniffed[0]?.file.name ?? ''}" is neither.`,
  )
}
