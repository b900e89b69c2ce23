import { ActionIcon, NumberInput, SegmentedControl, Slider, Tooltip } from '@mantine/core'
import { epochsOfEvidence } from '../../lib/detectable-difference.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { IconArrowsShuffle } from '../ui/pictures/icons.tsx'
import { wholeOrNull } from './number-value.ts'
import type { FieldErrors, QuoteForm } from './quote-form.ts'
import { SampleMeaning } from './sample-meaning.tsx'

interface CoverageFieldProps {
  readonly form: QuoteForm
  readonly errors: FieldErrors
  /** Tasks of each chosen profile. */
  readonly taskCounts: readonly number[]
  /** The chosen profiles’ own, where it is one. */
  readonly temperature: number | null
  readonly onChange: (change: Partial<QuoteForm>) => void
}

/** The slider's right end while no profile is chosen. */
const usualMost = 1000
const largestRandomSeed = 1_000_000

export function CoverageField({ form, errors, taskCounts, temperature, onChange }: CoverageFieldProps) {
  const most = Math.max(2, ...(taskCounts.length > 0 ? taskCounts : [usualMost]))
  const sampled = form.mode === 'sample'
  const asked = sampled ? (form.sampleCount ?? 0) : Number.POSITIVE_INFINITY
  return (
    <fieldset className="quotes-fieldset">
      <legend>Coverage</legend>
      <SegmentedControl
        aria-label="Coverage"
        style={{ alignSelf: 'flex-start' }}
        value={form.mode}
        onChange={mode => onChange({ mode: mode === 'full' ? 'full' : 'sample' })}
        data={[
          { value: 'sample', label: 'A sample' },
          { value: 'full', label: 'Every task' },
        ]}
      />
      <div className="quotes-coverage">
        <div className="stack">
          {sampled ? (
            <>
              <Slider
                thumbLabel="Tasks per profile"
                min={0}
                max={Math.log10(most)}
                step={0.01}
                label={place => formatCount(Math.min(most, tasksAt(place)))}
                thumbValueText={() => `${formatCount(form.sampleCount ?? 0)} tasks`}
                value={Math.log10(Math.max(1, Math.min(form.sampleCount ?? 1, most)))}
                onChange={place => onChange({ sampleCount: Math.min(most, tasksAt(place)) })}
              />
              <div className="row" style={{ alignItems: 'flex-start' }}>
                <NumberInput
                  label="Tasks per profile"
                  w={140}
                  min={1}
                  // A value out of bounds is refused with a reason, never replaced by another.
                  clampBehavior="none"
                  allowDecimal={false}
                  thousandSeparator=","
                  value={form.sampleCount ?? ''}
                  error={errors['sampleCount']}
                  onChange={value => onChange({ sampleCount: wholeOrNull(value) })}
                />
                <NumberInput
                  label="Seed"
                  w={150}
                  min={0}
                  clampBehavior="none"
                  allowDecimal={false}
                  hideControls
                  value={form.seed ?? ''}
                  error={errors['seed']}
                  onChange={value => onChange({ seed: wholeOrNull(value) })}
                  rightSection={
                    <Tooltip label="Another seed">
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label="Another seed"
                        onClick={() => onChange({ seed: Math.floor(Math.random() * largestRandomSeed) })}
                      >
                        <IconArrowsShuffle size={16} />
                      </ActionIcon>
                    </Tooltip>
                  }
                />
              </div>
              <p className="quotes-note">
                The same seed draws the same tasks on any machine, and a smaller sample is part of a larger one.
              </p>
            </>
          ) : (
            <p className="quotes-note">
              Every task of every chosen profile: the only coverage whose result may be called a benchmark score.
            </p>
          )}
        </div>
        <SampleMeaning
          epochs={epochsOfEvidence(form.execution.epochs ?? 1, form.execution.temperature ?? temperature)}
          counts={taskCounts.length > 0 ? taskCounts.map(count => Math.min(count, asked)) : sampled ? [asked] : []}
        />
      </div>
    </fieldset>
  )
}

/** Tasks at a place of the logarithmic slider, rounded to two digits so that it stops at numbers one would choose. */
function tasksAt(place: number): number {
  return Number((10 ** place).toPrecision(2))
}
