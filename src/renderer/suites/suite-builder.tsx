import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { RecommendationRequest } from '../../contract/recommendations/recommendations.schemas.ts'
import type { Suite } from '../../contract/suites/suites.schemas.ts'
import { useAddress } from '../ui/table/use-address.ts'
import { RecommendationPanel } from '../recommendations/recommendation-panel.tsx'
import type { Selection } from './selection.ts'
import { SuiteForm } from './suite-form.tsx'
import { TaskPicker } from './task-picker.tsx'

interface SuiteBuilderProps {
  /** The version that the new one follows. */
  readonly previous: Suite | null
  readonly initial: Selection
}

const ways = [
  { value: 'source', label: 'From a benchmark' },
  { value: 'objective', label: 'What should I run for …' },
]

/** Where tasks come from on the left, what they add up to on the right. */
export function SuiteBuilder({ previous, initial }: SuiteBuilderProps) {
  const { get, set } = useAddress()
  const [selection, setSelection] = useState(initial)
  // Kept here, so that the answer is still there after a look into a benchmark.
  const [asked, setAsked] = useState<RecommendationRequest | null>(null)
  const byObjective = get('way') === 'objective'
  return (
    <div className="suites-form">
      <div className="suites-picker">
        <SegmentedControl
          aria-label="How to find tasks"
          data={ways}
          value={byObjective ? 'objective' : 'source'}
          onChange={value => set({ way: value === 'objective' ? value : null, q: null })}
        />
        {byObjective ? (
          <RecommendationPanel asked={asked} onAsk={setAsked} selection={selection} onChange={setSelection} />
        ) : (
          <TaskPicker selection={selection} onChange={setSelection} />
        )}
      </div>
      <SuiteForm previous={previous} selection={selection} onChange={setSelection} />
    </div>
  )
}
