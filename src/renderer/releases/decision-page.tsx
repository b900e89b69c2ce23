import './releases.css'
import { Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { allows, isTerminal } from '../../contract/machine.ts'
import { decisionMachine } from '../../contract/releases/decision.machine.ts'
import type { Decision } from '../../contract/releases/decisions.schemas.ts'
import { formatUsd } from '../../lib/format/money.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { saveFile } from '../api/download.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { KeyValues } from '../ui/page/key-values.tsx'
import { notifyFailed } from '../ui/page/notify.ts'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { useAnnounceChange } from '../ui/page/use-announce-change.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { DecisionSides } from './decision-sides.tsx'
import { DecisionTasks } from './decision-tasks.tsx'
import { DecisionTimeline } from './decision-timeline.tsx'
import { DecisionVerdict } from './decision-verdict.tsx'
import { MissingItems } from './missing-items.tsx'
import { ProposedEvents } from './proposed-events.tsx'
import { decisionQuery, isBusy, useAdvance, useCancelDecision, usePolicies, useReleaseSuites } from './releases.queries.ts'
import { decisionStatuses, recommendations } from './releases-words.ts'
import { RuleChecklist } from './rule-checklist.tsx'

const parent = { title: 'Releases', to: '/releases' }

export function DecisionPage() {
  const { decisionId = '' } = useParams()
  return (
    <Page>
      <QueryView
        query={useQuery(decisionQuery(decisionId))}
        failure="Couldn’t load the decision"
        header={<PageHeader title="Decision" parent={parent} />}
        loading={<LinesSkeleton lines={8} />}
      >
        {decision => <DecisionView decision={decision} />}
      </QueryView>
    </Page>
  )
}

const next: Readonly<Partial<Record<Decision['status'], string>>> = {
  draft: 'Start',
  collecting: 'Continue',
  analyzing: 'Continue',
  awaiting_human: 'Close decision',
}

function DecisionView({ decision }: { readonly decision: Decision }) {
  const advance = useAdvance(decision.id)
  const cancel = useCancelDecision(decision.id)
  const [cancelling, setCancelling] = useState(false)
  const policies = usePolicies()
  const policy = policies.data?.find(({ id }) => id === decision.policy_id)
  const suites = useReleaseSuites()
  const tasks = suites.data?.find(({ id }) => id === decision.suite_version_id)?.tasks
  const step = next[decision.status]
  const needsVerdict = decision.missing.some(({ code }) => code === 'human_verdict')
  const found = decision.recommendation === null ? '' : `, recommendation: ${recommendations[decision.recommendation].word.toLowerCase()}`
  useAnnounceChange(`Decision: ${decisionStatuses[decision.status].word.toLowerCase()}${found}`)
  return (
    <>
      <PageHeader
        title={showHidden(decision.name)}
        parent={parent}
        aside={<StatusBadge status={decisionStatuses[decision.status]} />}
        description={
          <>
            <UntrustedText text={decision.candidate} layout="prose" />
            {decision.baseline === null ? null : (
              <>
                {' against '}
                <UntrustedText text={decision.baseline} layout="prose" />
              </>
            )}
            {decision.attempt === null ? '' : ` · attempt ${decision.attempt}`}
          </>
        }
        actions={
          <>
            <RequestMenu operation="getReleaseDecision" request={{ params: { decision_id: decision.id } }} />
            {allows(decisionMachine, decision.status, 'cancel') ? (
              <Button variant="default" onClick={() => setCancelling(true)}>
                Cancel decision
              </Button>
            ) : null}
            {isTerminal(decisionMachine, decision.status) ? <RecordMenu decision={decision} /> : null}
            {step ? (
              <Button
                // While a verdict is missing, that is the main action.
                variant={needsVerdict ? 'default' : 'filled'}
                loading={advance.isPending}
                disabled={isBusy(decision) || needsVerdict}
                onClick={() => advance.mutate(undefined)}
              >
                {step}
              </Button>
            ) : null}
          </>
        }
      />
      {advance.isError ? <ErrorState error={advance.error} title="Couldn’t take the next step" /> : null}
      {decision.record?.newer_results ? (
        <Notice tone="warn" title="Newer results exist">
          An evaluation was regraded or retried after this decision was closed. The record does not change.
        </Notice>
      ) : null}
      {decision.recommendation === null ? null : (
        <p className="releases-headline">
          Recommendation: <StatusBadge status={recommendations[decision.recommendation]} />
        </p>
      )}
      {isBusy(decision) ? (
        <p className="quiet" style={{ margin: 0 }}>
          It continues by itself when this has ended. You may leave the page.
        </p>
      ) : null}
      <PlanAgain decision={decision} tasks={tasks} />
      <MissingItems decision={decision} />
      <Section title="Rules">
        <RuleChecklist decision={decision} policy={policy} />
        {decision.cautions.length > 0 ? (
          <ul className="releases-sentences" aria-label="Cautions">
            {decision.cautions.map(caution => (
              <li key={caution}>
                <UntrustedText text={caution} layout="prose" />
              </li>
            ))}
          </ul>
        ) : null}
      </Section>
      <DecisionSides decision={decision} />
      <DecisionTasks decision={decision} />
      {decision.status === 'awaiting_human' ? <DecisionVerdict decision={decision} onDecided={() => advance.mutate(undefined)} /> : null}
      {decision.evaluations.some(({ run_id: run }) => run !== null) ? (
        <Section
          title="Labels"
          aside={
            <Button size="xs" variant="default" component={Link} to={`/releases/${decision.id}/labels`}>
              Label samples
            </Button>
          }
        >
          <p className="quiet" style={{ margin: 0 }}>
            Read answers without model names and say whether they pass.
          </p>
        </Section>
      ) : null}
      <ProposedEvents decision={decision} />
      <Section title="Timeline">
        <DecisionTimeline decision={decision} />
      </Section>
      <Section title="Plan">
        <KeyValues
          items={{
            Suite: <UntrustedText text={`${decision.plan.suite.name}, version ${decision.plan.suite.version}`} layout="prose" />,
            Size: tasks === undefined ? null : describeSize(decision, tasks),
            Policy: <UntrustedText text={`${decision.plan.policy.name}, version ${decision.plan.policy.version}`} layout="prose" />,
            'Spending limit': `${formatUsd(decision.plan.max_charge_microusd)}; ${formatUsd(decision.committed_microusd)} charged or set aside`,
            'Plan digest': <Identifier value={decision.plan_digest} what="plan digest" shown={16} />,
            'Record digest': decision.record ? <Identifier value={decision.record.digest} what="record digest" shown={16} /> : null,
          }}
        />
      </Section>
      <ConfirmDialog
        opened={cancelling}
        title="Cancel this decision?"
        action="Cancel decision"
        dismiss="Keep decision"
        onClose={() => setCancelling(false)}
        onConfirm={() => cancel.mutateAsync(undefined)}
      >
        Its evaluations stop. It counts as an attempt and cannot be continued.
      </ConfirmDialog>
    </>
  )
}

/** An inconclusive decision names the tasks that would decide it: one click makes a new plan with that many. */
function PlanAgain({
  decision: { id, recommendation, rules },
  tasks,
}: {
  readonly decision: Decision
  readonly tasks: number | undefined
}) {
  if (recommendation !== 'inconclusive' || tasks === undefined) return null
  const needed = Math.max(0, ...(rules ?? []).map(rule => (rule.required ? (rule.tasks_needed ?? 0) : 0)))
  if (needed <= tasks) return null
  return (
    <div className="row">
      <Button component={Link} to={`/releases/new?again=${id}&tasks=${needed}`} variant="default">
        Plan again with {formatCount(needed)} tasks
      </Button>
      <span className="quiet">As many would decide it if the estimates stay. It counts as another attempt.</span>
    </div>
  )
}

/** How much is asked, unless an early look decides. */
function describeSize({ plan }: Decision, tasks: number): string {
  const sides = plan.baseline === null ? 1 : 2
  const { epochs } = plan.execution
  const samples = tasks * epochs * sides
  const parts = [`${formatCount(tasks)} tasks`, ...(epochs > 1 ? [`${epochs} epochs`] : []), ...(sides > 1 ? ['2 models'] : [])]
  return parts.length === 1 ? parts.join('') : `${parts.join(' × ')} = ${formatCount(samples)} samples`
}

const recordFiles = [
  { format: 'html', label: 'HTML, to read', name: 'release-record.html' },
  { format: 'json', label: 'JSON', name: 'release-record.json' },
  { format: 'dsse', label: 'DSSE, signed', name: 'release-record.dsse.json' },
] as const

function RecordMenu({ decision }: { readonly decision: Decision }) {
  const save = (format: (typeof recordFiles)[number]): void => {
    saveFile('getReleaseRecord', { params: { decision_id: decision.id }, query: { format: format.format } }, format.name).catch(
      (error: unknown) => notifyFailed('Couldn’t download the record', error),
    )
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button>Download record</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {recordFiles.map(file => (
          <Menu.Item key={file.format} onClick={() => save(file)}>
            {file.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
