import './releases.css'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { Link, useParams } from 'react-router'
import { describeContent } from '../../contract/messages/message-text.ts'
import type { Decision } from '../../contract/releases/decisions.schemas.ts'
import type { Sample } from '../../contract/runs/samples.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { call } from '../api/client.ts'
import { Reasoning } from '../samples/reasoning.tsx'
import { sampleQuery } from '../samples/samples.queries.ts'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { blindOrder } from './blind-order.ts'
import { decisionQuery, useLabel } from './releases.queries.ts'

/** Samples of one answer of the service. */
const pageSize = 100
/** Pages of each run that are offered: more than people label in one decision. */
const offeredPages = 10
const verdictKeys = { p: 'pass', f: 'fail', u: 'unsure' } as const

/** Without the decision's own name, which often names a model. */
const parent = (id: string) => ({ title: 'Decision', to: `/releases/${id}` })

/** One answer at a time, without the model's name, for the keyboard. */
export function LabelQueuePage() {
  const { decisionId = '' } = useParams()
  return (
    <Page layout="narrow">
      <QueryView
        query={useQuery(decisionQuery(decisionId))}
        failure="Couldn’t load the decision"
        header={<PageHeader title="Label samples" parent={parent(decisionId)} />}
      >
        {decision => (
          <>
            <PageHeader
              title="Label samples"
              parent={parent(decision.id)}
              description="Model names are hidden and the order is mixed. Judge the answer alone."
            />
            <Queue decision={decision} />
          </>
        )}
      </QueryView>
    </Page>
  )
}

function Queue({ decision }: { readonly decision: Decision }) {
  const runs = useMemo(() => decision.evaluations.flatMap(({ run_id: run }) => (run === null ? [] : [run])), [decision.evaluations])
  const query = useQuery({
    queryKey: ['releases', 'label-queue', ...runs],
    queryFn: async ({ signal }) => {
      const samples = await Promise.all(runs.map(run => scoredSamples(run, signal)))
      return blindOrder(samples.flat())
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <QueryView query={query} failure="Couldn’t load the samples">
      {samples =>
        samples.length === 0 ? (
          <EmptyState
            title="No answers to label yet"
            action={
              <Button component={Link} to={`/releases/${decision.id}`} variant="default">
                Back to the decision
              </Button>
            }
          />
        ) : (
          <Labeling samples={samples} />
        )
      }
    </QueryView>
  )
}

async function scoredSamples(run: string, signal: AbortSignal): Promise<readonly Sample[]> {
  const found: Sample[] = []
  let cursor: string | undefined
  for (let page = 0; page < offeredPages; page++) {
    const query = { limit: pageSize, status: 'scored', cursor } as const
    const { items, next_cursor: next } = await call('listSamples', { params: { run_id: run }, query }, { signal })
    found.push(...items)
    if (next === null) break
    cursor = next
  }
  return found
}

function Labeling({ samples }: { readonly samples: readonly Sample[] }) {
  const label = useLabel()
  const [at, setAt] = useState(0)
  const [given, setGiven] = useState<ReadonlyMap<string, string>>(new Map())
  const sample = samples[at]
  const go = (to: number): void => setAt(Math.max(0, Math.min(samples.length - 1, to)))
  const decide = (verdict: 'pass' | 'fail' | 'unsure'): void => {
    if (!sample || label.isPending) return
    label.mutate(
      { target: { run_id: sample.run_id, sample_id: sample.id }, verdict },
      {
        onSuccess: () => {
          setGiven(before => new Map(before).set(sample.id, verdict))
          go(at + 1)
        },
      },
    )
  }
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [role=dialog], [role=menu]')) return
    const key = event.key.toLowerCase()
    if (key === 'p' || key === 'f' || key === 'u') decide(verdictKeys[key])
    else if (key === 'j') go(at + 1)
    else if (key === 'k') go(at - 1)
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  if (!sample) return null
  return (
    <>
      <div className="row" aria-live="polite">
        <span className="num">
          {formatCount(at + 1)} of {formatCount(samples.length)}
        </span>
        <span className="quiet num">{formatCount(given.size)} labeled</span>
        <span>{given.has(sample.id) ? `Your label: ${given.get(sample.id) ?? ''}` : 'Not labeled by you yet'}</span>
      </div>
      <Answer key={sample.id} sample={sample} />
      <section className="row" aria-label="Verdict">
        <Button variant="default" rightSection={<kbd>K</kbd>} disabled={at === 0} onClick={() => go(at - 1)}>
          Previous
        </Button>
        <Button variant="default" rightSection={<kbd>J</kbd>} disabled={at === samples.length - 1} onClick={() => go(at + 1)}>
          Next
        </Button>
        {/* None of the three stands out: a label must not be suggested. */}
        <Button variant="default" rightSection={<kbd>P</kbd>} onClick={() => decide('pass')}>
          Pass
        </Button>
        <Button variant="default" rightSection={<kbd>F</kbd>} onClick={() => decide('fail')}>
          Fail
        </Button>
        <Button variant="default" rightSection={<kbd>U</kbd>} onClick={() => decide('unsure')}>
          Unsure
        </Button>
      </section>
      {label.isError ? <ErrorState error={label.error} title="Couldn’t save the label" /> : null}
    </>
  )
}

function Answer({ sample }: { readonly sample: Sample }) {
  return (
    <QueryView query={useQuery(sampleQuery(sample.run_id, sample.id))} failure="Couldn’t load the answer">
      {detail => (
        <>
          <Section title="Prompt">
            {detail.messages.map((message, i) => (
              // oxlint-disable-next-line react/no-array-index-key -- messages have no identity but their place
              <UntrustedText key={i} text={describeContent(message.content)} layout="block" />
            ))}
          </Section>
          <Section title="Answer">
            <Reasoning reasoning={detail.reasoning} />
            <UntrustedText text={detail.output ?? ''} layout="block" />
          </Section>
          {detail.targets.length > 0 ? (
            <Section title="Expected">
              <UntrustedText text={detail.targets.join('\n')} layout="block" />
            </Section>
          ) : null}
        </>
      )}
    </QueryView>
  )
}
