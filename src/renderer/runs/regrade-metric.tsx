import { Checkbox } from '@mantine/core'
import { OptionsOfScorer, ScorerField } from '../evaluators/scorer-fields.tsx'
import { checkField } from '../ui/forms/fields.ts'
import type { MetricDraft, MetricErrors } from './regrade-form.ts'

interface RegradeMetricProps {
  readonly draft: MetricDraft
  /** Name of its profile, where the run has several. */
  readonly profile: string | null
  readonly errors: MetricErrors[number] | undefined
  readonly onChange: (change: Partial<MetricDraft>) => void
}

/** One metric: left to the current version of its scorer, or graded by another scorer or with other options. */
export default function RegradeMetric({ draft, profile, errors, onChange }: RegradeMetricProps) {
  const { metric, changed, scorer, options } = draft
  return (
    <div className="runs-regrade-metric">
      <Checkbox
        label={`Change “${metric.title}”${profile === null ? '' : ` of ${profile}`}`}
        description={`Graded by ${metric.scorer} v${metric.scorer_version}`}
        {...checkField(changed, isOn => onChange({ changed: isOn }))}
      />
      {changed ? (
        <>
          <ScorerField
            scorer={scorer}
            error={errors?.scorer}
            // Options of another scorer mean nothing to this one.
            onChange={chosen =>
              onChange({ scorer: chosen, options: chosen === metric.scorer ? JSON.stringify(metric.options, null, 2) : '{}' })
            }
          />
          <OptionsOfScorer scorer={scorer} form={{ options }} onChange={onChange} />
          {errors?.options === undefined ? null : (
            <p role="alert" className="runs-regrade-error">
              {errors.options}
            </p>
          )}
        </>
      ) : null}
    </div>
  )
}
