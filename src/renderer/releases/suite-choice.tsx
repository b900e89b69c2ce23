import { NumberInput, SegmentedControl, Select, Switch } from '@mantine/core'
import { formatCount } from '../../lib/format/numbers.ts'
import { useBenchmarks } from '../catalog/catalog.queries.ts'
import { useReleaseSuites } from './releases.queries.ts'

/** A release suite that is there, or one to be made of a benchmark. */
export interface SuiteDraft {
  readonly way: 'benchmark' | 'suite'
  readonly suiteId: string | null
  readonly slug: string | null
  /** Of the benchmark's tasks, in its order; null: all. */
  readonly tasks: number | null
  readonly critical: boolean
}

export const noSuite: SuiteDraft = { way: 'benchmark', suiteId: null, slug: null, tasks: null, critical: false }

export function SuiteChoice({ draft, onChange }: { readonly draft: SuiteDraft; readonly onChange: (draft: SuiteDraft) => void }) {
  const suites = useReleaseSuites()
  const benchmarks = useBenchmarks('')
  const runnable = (benchmarks.data ?? []).filter(({ latest_version: latest }) => latest !== null && latest !== undefined)
  return (
    <div className="stack">
      <SegmentedControl
        aria-label="Suite"
        style={{ alignSelf: 'start' }}
        value={draft.way}
        onChange={way => onChange({ ...draft, way: way === 'suite' ? 'suite' : 'benchmark' })}
        data={[
          { value: 'benchmark', label: 'From a benchmark' },
          { value: 'suite', label: 'Release suite' },
        ]}
      />
      {draft.way === 'suite' ? (
        <Select
          label="Release suite"
          maw={480}
          searchable
          withScrollArea={false}
          styles={{ options: { maxHeight: 300, overflowY: 'auto' } }}
          placeholder={suites.data?.length === 0 ? 'None yet: make one from a benchmark' : 'Choose a suite'}
          value={draft.suiteId}
          data={(suites.data ?? []).map(suite => ({
            value: suite.id,
            label: `${suite.name}, version ${suite.version} (${formatCount(suite.tasks)} tasks)`,
          }))}
          onChange={suiteId => onChange({ ...draft, suiteId })}
        />
      ) : (
        <>
          <Select
            label="Benchmark"
            description="Its tasks are frozen as a release suite"
            maw={480}
            searchable
            withScrollArea={false}
            styles={{ options: { maxHeight: 300, overflowY: 'auto' } }}
            placeholder="Choose a benchmark"
            value={draft.slug}
            data={runnable.map(({ slug, title }) => ({ value: slug, label: title }))}
            onChange={slug => onChange({ ...draft, slug })}
          />
          <NumberInput
            label="Tasks"
            description="The first of the benchmark; empty: all"
            w={280}
            min={1}
            allowDecimal={false}
            value={draft.tasks ?? ''}
            onChange={tasks => onChange({ ...draft, tasks: typeof tasks === 'number' && tasks >= 1 ? tasks : null })}
          />
          <Switch
            label="Critical: no task that the baseline passes may fail"
            checked={draft.critical}
            onChange={event => onChange({ ...draft, critical: event.currentTarget.checked })}
          />
        </>
      )}
    </div>
  )
}
