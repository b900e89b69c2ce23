import { nameFew } from '../../../lib/format/name-few.ts'
import { type NoticeCode, noticeCodes, resultNotice } from '../../../contract/runs/call-notes.ts'
import type { FailureCode } from '../../../contract/runs/failure-codes.ts'
import type { Results } from '../../../contract/runs/results.schemas.ts'
import { formatCount } from '../../../lib/format/numbers.ts'
import type { ResultSample } from './result-sample.ts'

/** Names of models that a notice lists. */
const mostModels = 5

/** Failure by which a provider refuses a prompt before the model sees it. */
const promptRefused: FailureCode = 'content_filtered'

/** Counts what a reader of a score must know of the answers behind it. */
export function createNoticeTally() {
  const counts = new Map<NoticeCode, number>()
  const models = new Map<string, number>()
  let answers = 0
  let failed = 0
  let refused = 0
  return {
    add: ({ status, notices, servedModel, errorCode }: ResultSample) => {
      if (status === 'failed') failed++
      if (status === 'failed' && errorCode === promptRefused) refused++
      if (status !== 'scored') return
      answers++
      if (notices.includes('answer_filtered')) refused++
      for (const code of notices) counts.set(code, (counts.get(code) ?? 0) + 1)
      if (servedModel !== null) models.set(servedModel, (models.get(servedModel) ?? 0) + 1)
    },
    notices: (): Results['notices'] => {
      const found = noticeCodes.flatMap(code => {
        const count = counts.get(code) ?? 0
        if (count === 0) return []
        const notice = resultNotice(code, formatCount(count), formatCount(answers))
        return code === 'model_differs' ? { ...notice, message: `${notice.message} ${describeModels(models)}` } : notice
      })
      return refused > 0 && refused === answers + failed ? [allRefused(refused), ...found] : found
    },
  }
}

function allRefused(count: number): Results['notices'][number] {
  return {
    code: 'all_refused',
    message: `The model or the provider’s content filter refused ${count === 1 ? 'the only sample' : `all ${formatCount(count)} samples`}, so there is no score. Check the prompts, or use a model without this filter.`,
  }
}

function describeModels(models: ReadonlyMap<string, number>): string {
  const names = [...models].sort(([, a], [, b]) => b - a).map(([name, count]) => `“${name}” (${formatCount(count)})`)
  return `Answered by: ${nameFew(names, mostModels)}.`
}
