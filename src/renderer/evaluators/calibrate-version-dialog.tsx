import { Anchor, Modal, SegmentedControl, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { DatasetVersion } from '../../contract/datasets/dataset-versions.schemas.ts'
import { QueryView } from '../ui/states/query-view.tsx'
import { CalibrateForm } from './calibrate-form.tsx'
import { evaluatorVersionsQuery } from './evaluators.queries.ts'
import { RecordedVerdictsForm } from './recorded-verdicts-form.tsx'

/** From a frozen version to the question how far a judge agrees with its labels. */
export function CalibrateVersionDialog({ version, onClose }: { readonly version: DatasetVersion; readonly onClose: () => void }) {
  const query = useQuery(evaluatorVersionsQuery)
  const [source, setSource] = useState('evaluator')
  const [evaluatorId, setEvaluatorId] = useState<string | null>(null)
  return (
    <Modal opened onClose={onClose} title="Calibrate a judge" size="md">
      <QueryView query={query} failure="Couldn’t load evaluators">
        {evaluators => {
          const chosen = evaluators.find(({ id }) => id === evaluatorId)
          return (
            <div className="stack">
              <SegmentedControl
                aria-label="Verdicts"
                fullWidth
                data={[
                  { value: 'evaluator', label: 'An evaluator’s verdicts' },
                  { value: 'recorded', label: 'Recorded verdicts' },
                ]}
                value={source}
                onChange={setSource}
              />
              {source === 'recorded' ? (
                <RecordedVerdictsForm version={version} evaluators={evaluators} />
              ) : (
                <>
                  {evaluators.length === 0 ? (
                    <p className="quiet">There is no evaluator yet.</p>
                  ) : (
                    <Select
                      label="Evaluator"
                      placeholder="Choose an evaluator"
                      searchable
                      data={evaluators.map(({ id, name, version: number }) => ({ value: id, label: `${name} v${number}` }))}
                      value={evaluatorId}
                      onChange={setEvaluatorId}
                    />
                  )}
                  <Anchor component={Link} to={`/evaluators/new?kind=model_graded&version=${version.id}`} underline="always">
                    New judge
                  </Anchor>
                </>
              )}
              {source === 'evaluator' && chosen ? <CalibrateForm key={chosen.id} evaluator={chosen} version={version} /> : null}
            </div>
          )
        }}
      </QueryView>
    </Modal>
  )
}
