import { Checkbox, Textarea, TextInput } from '@mantine/core'
import type { MetricDraft, MetricErrors } from './regrade-form.ts'

interface RegradeMetricProps {
  readonly draft: MetricDraft
  /** Name of its profile, where the run has several. */
  readonly profile: string | null
  readonly errors: MetricErrors[number] | undefined
  readonly onChange: (change: Partial<MetricDraft>) => void
}

/** One metric: left to the current version of its scorer, or graded by another scorer or with other options. */
export function RegradeMetric({ draft, profile, errors, onChange }: RegradeMetricProps) {
  const { metric, changed, scorer, options } = draft
  return (
    <div className="runs-regrade-metric">
      <Checkbox
        label={`Change “${metric.title}”${profile === null ? '' : ` of ${profile}`}`}
        description={`Graded by ${metric.scorer} v${metric.scorer_version}`}
        checked={changed}
        onChange={event => onChange({ changed: event.currentTarget.checked })}
      />
      {changed ? (
        <>
          <TextInput
            label="Scorer"
            classNames={{ input: 'mono' }}
            value={scorer}
            error={errors?.scorer}
            onChange={event => onChange({ scorer: event.currentTarget.value })}
          />
          <Textarea
            label="Options (JSON)"
            classNames={{ input: 'mono' }}
            autosize
            minRows={2}
            maxRows={12}
            value={options}
            error={errors?.options}
            onChange={event => onChange({ options: event.currentTarget.value })}
          />
        </>
      ) : null}
    </div>
  )
}
