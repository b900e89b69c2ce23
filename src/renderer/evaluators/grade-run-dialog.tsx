import { Modal, Select } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react'
import type { EvaluatorSnapshot } from '../../contract/evaluators/evaluators.schemas.ts'
import type { RegradeQuote, Run } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { call } from '../api/client.ts'
import { useIdempotencyKey } from '../api/idempotency.ts'
import { useConnections } from '../connections/models.queries.ts'
import { useRegradeRun } from '../runs/run-changes.queries.ts'
import { DialogActions } from '../ui/forms/dialog-actions.tsx'
import { DollarField } from '../ui/forms/dollar-field.tsx'
import { readDollars, typedDollars } from '../ui/forms/dollars.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { Money } from '../ui/values/figures.tsx'
import { evaluatorVersionsQuery, gradesOneOutput } from './evaluators.queries.ts'
import { describeJudgeTime, judgeTimeMs } from './judge-time.ts'

interface GradeRunDialogProps {
  readonly run: Run
  /** Id of the version that is chosen as the dialog opens. */
  readonly first?: string | null
  readonly opened: boolean
  readonly onClose: () => void
}

/**
 * Grades a run's stored answers by an evaluator: quoted first where it calls judges. Every other score stays as it is. A limit that is
 * left empty is the most that the quote can cost; where no price is known, nothing may be charged.
 */
export function GradeRunDialog({ run, first = null, opened, onClose }: GradeRunDialogProps) {
  const [versionId, setVersionId] = useState(first)
  const [dollars, setDollars] = useState('')
  /** What the chosen evaluator would take; null until that is known, and where it asks no judges. */
  const [quoted, setQuoted] = useState<RegradeQuote | null>(null)
  const query = useQuery(evaluatorVersionsQuery)
  const connections = useConnections()
  const regrade = useRegradeRun(run.id)
  const key = useIdempotencyKey(`regrade-quote-${run.id}`)
  const quote = useMutation({
    mutationFn: (body: { readonly evaluator_version_id: string; readonly max_charge_microusd: string }) =>
      call('createRegradeQuote', { params: { run_id: run.id }, body, headers: key.headersFor(body) }),
    onSuccess: () => key.done(),
  })
  const usable = (query.data ?? []).filter(gradesOneOutput)
  const chosen = usable.find(({ id }) => id === versionId)
  const asksJudges = ({ requires }: EvaluatorSnapshot): boolean => requires.model_calls_per_output > 0
  const needsQuote = chosen !== undefined && asksJudges(chosen)
  const most = quoted?.upper_bound_microusd ?? '0'
  const limitRules = { empty: quoted ? typedDollars(most) : '' }
  const limit = readDollars(dollars, limitRules)
  const time = describeJudgeTime(chosen && quoted ? judgeTimeMs(chosen.definition, quoted.judge_calls, connections.data ?? []) : null)
  const quoteOf = (next: EvaluatorSnapshot): void => {
    if (asksJudges(next)) quote.mutate({ evaluator_version_id: next.id, max_charge_microusd: '0' }, { onSuccess: setQuoted })
  }
  const choose = (id: string | null): void => {
    setVersionId(id)
    setQuoted(null)
    quote.reset()
    regrade.reset()
    const next = usable.find(evaluator => evaluator.id === id)
    if (next) quoteOf(next)
  }
  const quoteFirst = useEffectEvent(() => {
    if (chosen && chosen.id === first && quote.isIdle) quoteOf(chosen)
  })
  useEffect(() => {
    if (query.data) quoteFirst()
  }, [query.data])
  const grade = (evaluatorVersionId: string, quoteId?: string): void =>
    regrade.mutate(
      { evaluator_version_id: evaluatorVersionId, ...(quoteId !== undefined && { regrade_quote_id: quoteId }) },
      { onSuccess: onClose },
    )
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (chosen === undefined || limit.error !== null) return
    if (!needsQuote) return grade(chosen.id)
    quote.mutate(
      { evaluator_version_id: chosen.id, max_charge_microusd: limit.amount ?? most },
      { onSuccess: ({ id }) => grade(chosen.id, id) },
    )
  }
  const failed = regrade.error ?? quote.error
  return (
    <Modal opened={opened} onClose={onClose} title="Grade with an evaluator" size="md">
      <form className="stack" onSubmit={submit} noValidate>
        <p style={{ margin: 0 }}>
          Adds the evaluator’s metric as version {(run.result_version ?? 0) + 1} of the result. Other scores stay as they are.
        </p>
        <Select
          label="Evaluator"
          placeholder={query.data && usable.length === 0 ? 'No evaluators yet' : 'Choose an evaluator'}
          searchable
          data={usable.map(({ id, name, version }) => ({ value: id, label: `${name} v${version}` }))}
          value={versionId}
          error={versionId !== null && query.data && !chosen ? 'This evaluator can’t grade the run. Choose another one.' : null}
          onChange={choose}
        />
        {query.isError ? (
          <ErrorState error={query.error} title="Couldn’t load the evaluators" onRetry={() => void query.refetch()} />
        ) : null}
        {needsQuote ? (
          <DollarField
            label="Spending limit"
            description={
              quoted?.upper_bound_microusd === null ? 'Price unknown. Empty: nothing may be charged' : 'Empty: the most it can cost'
            }
            rules={limitRules}
            value={dollars}
            onChange={setDollars}
          />
        ) : null}
        {needsQuote && quoted ? (
          <output className="num">
            {`${formatCount(quoted.judge_calls)} judge calls, ${time}, `}
            <Money microUsd={quoted.estimated_microusd} within />
            {quoted.upper_bound_microusd === null ? null : (
              <>
                , at most <Money microUsd={quoted.upper_bound_microusd} />
              </>
            )}
          </output>
        ) : null}
        {failed ? (
          <ErrorState
            error={failed}
            title={needsQuote && !quoted ? 'Couldn’t get a quote' : 'Couldn’t grade the run'}
            onRetry={needsQuote && !quoted ? () => choose(versionId) : undefined}
          />
        ) : null}
        <DialogActions onCancel={onClose}>
          <ReasonedButton
            type="submit"
            loading={quote.isPending || regrade.isPending}
            blocked={
              chosen === undefined
                ? 'Choose an evaluator.'
                : needsQuote && !quoted
                  ? 'No quote yet.'
                  : limit.error !== null
                    ? 'Correct the spending limit.'
                    : null
            }
          >
            Grade run
          </ReasonedButton>
        </DialogActions>
      </form>
    </Modal>
  )
}
