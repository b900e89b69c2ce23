import { useQuery } from '@tanstack/react-query'
import type { Job } from '../../contract/jobs/jobs.schemas.ts'
import { call } from '../api/client.ts'
import { everyPage } from '../api/pages.ts'

/** What a job is for, as people know it. */
export interface JobSubject {
  readonly name: string
  /** Its page, or the one that lists it. */
  readonly to: string
}

type Find = (id: string, signal: AbortSignal) => Promise<JobSubject | null>

/** By the type of record that a job names. */
const finders: Readonly<Record<string, Find>> = {
  run: async (run_id, signal) => {
    const { name } = await call('getRun', { params: { run_id } }, { signal })
    return { name, to: `/runs/${run_id}` }
  },
  import: async (import_id, signal) => {
    const { slug, recipe, files } = await call('getImport', { params: { import_id } }, { signal })
    if (slug !== null) return { name: slug, to: `/catalog/${slug}` }
    return recipe === null ? fileSubject(files, '/catalog/import') : { name: recipe, to: `/catalog/import?recipe=${recipe}` }
  },
  answer_import: async (answer_import_id, signal) => {
    const { runs, files } = await call('getAnswerImport', { params: { answer_import_id } }, { signal })
    const [first] = runs
    return fileSubject(files, runs.length === 1 && first ? `/runs/${first.run_id}` : '/runs')
  },
  package: async (package_id, signal) => {
    const { title } = await call('getPackage', { params: { package_id } }, { signal })
    return { name: title, to: `/creator/packages/${package_id}` }
  },
  evaluator_draft: async (draft_id, signal) => {
    const { goal } = await call('getEvaluatorDraft', { params: { draft_id } }, { signal })
    return { name: goal ?? 'Draft', to: `/evaluators/drafts/${draft_id}` }
  },
  world_draft: async (environment_draft_id, signal) => {
    const { title } = await call('getEnvironmentDraft', { params: { environment_draft_id } }, { signal })
    return { name: title, to: `/environments/new?draft=${environment_draft_id}` }
  },
  calibration: async (calibration_id, signal) => {
    const { evaluator_name } = await call('getCalibration', { params: { calibration_id } }, { signal })
    return { name: evaluator_name, to: `/evaluators/calibrations/${calibration_id}` }
  },
  release_decision: async (decision_id, signal) => {
    const { name } = await call('getReleaseDecision', { params: { decision_id } }, { signal })
    return { name, to: `/releases/${decision_id}` }
  },
  tune_session: async (session_id, signal) => {
    const { name } = await call('getTuneSession', { params: { session_id } }, { signal })
    return { name, to: `/tuning/${session_id}` }
  },
  trace_integration: async (id, signal) => {
    const all = await everyPage(cursor => call('listTraceIntegrations', { query: { limit: 100, cursor } }, { signal }))
    const found = all.find(one => one.id === id)
    return found ? { name: found.name, to: `/traces/integrations/${id}` } : null
  },
  // These are read with the record that they belong to, which a job does not name.
  dataset_import: () => Promise.resolve({ name: 'Datasets', to: '/datasets' }),
  dataset_scan: () => Promise.resolve({ name: 'Datasets', to: '/datasets' }),
  tune_occurrence: () => Promise.resolve({ name: 'Monitors', to: '/tuning/monitors' }),
  backup: name => Promise.resolve({ name, to: '/settings' }),
}

function fileSubject(files: readonly { readonly name: string }[], to: string): JobSubject | null {
  const [first] = files
  if (!first) return null
  return { name: files.length === 1 ? first.name : `${first.name} and ${files.length - 1} more`, to }
}

/** Read once while a job is listed and again when it has ended; null until then, and for what is deleted meanwhile. */
export function useJobSubject({ subject, state }: Pick<Job, 'subject' | 'state'>): JobSubject | null {
  const find = subject ? finders[subject.type] : undefined
  const query = useQuery({
    queryKey: ['jobs', 'subject', subject?.type, subject?.id, state],
    queryFn: ({ signal }) => (find && subject ? find(subject.id, signal) : null),
    enabled: find !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return query.data ?? null
}
