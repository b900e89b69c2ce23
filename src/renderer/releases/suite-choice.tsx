import { Button, NumberInput, SegmentedControl, Select, Switch } from '@mantine/core'
import { useId } from 'react'
import { profileName } from '../../lib/format/benchmark-names.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { useBenchmark, useBenchmarks } from '../catalog/catalog.queries.ts'
import { checkField } from '../ui/forms/fields.ts'
import { IconButton } from '../ui/forms/icon-button.tsx'
import { IconTrash } from '../ui/pictures/icons.tsx'
import { useReleaseSuites } from './releases.queries.ts'

/** Tasks of one benchmark, as a group of the suite. */
export interface GroupDraft {
  readonly slug: string | null
  /** Null: the first profile that can run. */
  readonly profileId: string | null
  /** Of the benchmark's tasks, in its order; null: all. */
  readonly tasks: number | null
  /** Relative to the other groups. */
  readonly weight: number
  readonly critical: boolean
}

/** A release suite that is there, or one to be made of benchmarks. */
export interface SuiteDraft {
  /** `run`: the tasks of the finished run that is a side. */
  readonly way: 'benchmark' | 'suite' | 'run'
  readonly suiteId: string | null
  readonly groups: readonly GroupDraft[]
}

export const noGroup: GroupDraft = { slug: null, profileId: null, tasks: null, weight: 1, critical: false }
export const noSuite: SuiteDraft = { way: 'benchmark', suiteId: null, groups: [noGroup] }

/** The name of a group in rules and evidence: the only one is `all`. */
export function groupKey({ groups }: Pick<SuiteDraft, 'groups'>, at: number): string {
  const slug = groups[at]?.slug ?? ''
  if (groups.length === 1) return 'all'
  const key = slug
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '-')
    .slice(0, 60)
  const earlier = groups.slice(0, at).filter(group => group.slug === slug).length
  return earlier === 0 ? key : `${key}-${earlier + 1}`
}

export function SuiteChoice({ draft, onChange }: { readonly draft: SuiteDraft; readonly onChange: (draft: SuiteDraft) => void }) {
  const suites = useReleaseSuites()
  const { groups } = draft
  const change = (at: number, part: Partial<GroupDraft>) =>
    onChange({ ...draft, groups: groups.map((group, i) => (i === at ? { ...group, ...part } : group)) })
  return (
    <div className="stack">
      <SegmentedControl
        aria-label="Suite"
        style={{ alignSelf: 'start' }}
        value={draft.way}
        onChange={way => onChange({ ...draft, way: way === 'suite' || way === 'run' ? way : 'benchmark' })}
        data={[
          { value: 'benchmark', label: 'From a benchmark' },
          { value: 'suite', label: 'Release suite' },
          { value: 'run', label: 'Tasks of a finished run' },
        ]}
      />
      {draft.way === 'run' ? (
        <p className="quiet" style={{ margin: 0 }}>
          The suite is made of the tasks of the finished run that you choose as a side below.
        </p>
      ) : draft.way === 'suite' ? (
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
          {groups.map((group, i) => (
            <GroupFields
              // oxlint-disable-next-line react/no-array-index-key -- groups have no identity but their place
              key={i}
              group={group}
              place={groups.length > 1 ? i + 1 : null}
              onChange={part => change(i, part)}
              onRemove={() => onChange({ ...draft, groups: groups.toSpliced(i, 1) })}
            />
          ))}
          <div>
            <Button variant="default" size="xs" onClick={() => onChange({ ...draft, groups: [...groups, noGroup] })}>
              Add a benchmark
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

interface GroupFieldsProps {
  readonly group: GroupDraft
  /** From 1; null where it is the only group. */
  readonly place: number | null
  readonly onChange: (part: Partial<GroupDraft>) => void
  readonly onRemove: () => void
}

function GroupFields({ group, place, onChange, onRemove }: GroupFieldsProps) {
  const id = useId()
  const benchmarks = useBenchmarks('')
  const chosen = useBenchmark(group.slug).data
  const latest = chosen?.versions[0]
  const profiles = (chosen?.profiles ?? []).filter(
    ({ source_ref: ref, quote_availability: { status } }) => ref === latest?.source_ref && status === 'ready_for_quote',
  )
  const available = latest?.task_counts['test']
  const runnable = (benchmarks.data ?? []).filter(({ latest_version: version }) => version !== null)
  return (
    <fieldset className="releases-figure stack" aria-labelledby={place === null ? undefined : id}>
      {place === null ? null : (
        <div className="row" style={{ justifyContent: 'space-between' }}>
          <span id={id} className="small quiet">
            Group {place}
          </span>
          <IconButton icon={IconTrash} label={`Remove group ${place}`} onClick={onRemove} />
        </div>
      )}
      <Select
        label="Benchmark"
        description={place === null ? 'Its tasks are frozen as a release suite' : null}
        maw={480}
        searchable
        withScrollArea={false}
        styles={{ options: { maxHeight: 300, overflowY: 'auto' } }}
        placeholder="Choose a benchmark"
        value={group.slug}
        data={runnable.map(({ slug, title }) => ({ value: slug, label: title }))}
        onChange={slug => onChange({ slug, profileId: null })}
      />
      {profiles.length > 1 ? (
        <Select
          label="Profile"
          maw={480}
          value={group.profileId ?? profiles[0]?.id ?? null}
          data={profiles.map(profile => ({ value: profile.id, label: profileName(profile) }))}
          onChange={profileId => onChange({ profileId })}
        />
      ) : null}
      <div className="row" style={{ alignItems: 'end' }}>
        <NumberInput
          label="Tasks"
          description={
            available === undefined ? 'The first of the benchmark; empty: all' : `The first of ${formatCount(available)}; empty: all`
          }
          w={280}
          min={1}
          {...(available !== undefined && { max: available })}
          allowDecimal={false}
          value={group.tasks ?? ''}
          onChange={tasks => onChange({ tasks: typeof tasks === 'number' && tasks >= 1 ? tasks : null })}
        />
        {place === null ? null : (
          <NumberInput
            label="Weight"
            description="Relative to the others"
            w={180}
            min={0}
            max={1_000_000}
            value={group.weight}
            onChange={weight => {
              if (typeof weight === 'number' && weight >= 0) onChange({ weight })
            }}
          />
        )}
      </div>
      <Switch
        label="Critical: no task that the baseline passes may fail"
        {...checkField(group.critical, isChecked => onChange({ critical: isChecked }))}
      />
    </fieldset>
  )
}
