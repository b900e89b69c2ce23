import { Button, Modal, Select, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { ComparedRun, Comparison } from '../../contract/comparisons/comparisons.schemas.ts'
import { mostReviewsAtOnce } from '../../contract/datasets/examples.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { call } from '../api/client.ts'
import { everyPage } from '../api/pages.ts'
import { DialogActions } from '../ui/forms/dialog-actions.tsx'
import { textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { notifyDone } from '../ui/page/notify.ts'
import { ErrorState } from '../ui/states/error-state.tsx'

/** From two compared runs to a dataset of their answers in pairs, which a pairwise evaluator decides. */
export function JudgePairs({ comparison }: { readonly comparison: Comparison }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Judge in pairs
      </Button>
      {isOpen ? <PairsDialog runs={comparison.runs} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function PairsDialog({ runs, onClose }: { readonly runs: readonly ComparedRun[]; readonly onClose: () => void }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const baseline = runs.find(run => run.baseline)
  const others = runs.filter(run => !run.baseline)
  const [chosen, setChosen] = useState(others[0]?.run_id ?? '')
  const other = others.find(({ run_id }) => run_id === chosen)
  const usual = `${baseline?.label ?? ''} against ${other?.label ?? ''}`.slice(0, 200)
  const [name, setName] = useState<string | null>(null)
  const make = useMutation({
    mutationFn: () => pairRuns((name ?? usual).trim(), baseline?.run_id ?? '', chosen),
    onSuccess: ({ datasetId, versionId, pairs }) => {
      notifyDone(`Pairs in the dataset: ${formatCount(pairs)}. Next: let an evaluator judge them.`)
      void client.invalidateQueries({ queryKey: ['datasets'] })
      void navigate(`/datasets/${datasetId}/versions/${versionId}`)
    },
  })
  return (
    <Modal opened onClose={onClose} title="Judge in pairs">
      <div className="stack">
        <p className="quiet">
          Makes a dataset of both answers to each task, at most {formatCount(mostPairs)}, and approves the pairs as you. A pairwise
          evaluator then decides each, and Rank models reads its verdicts.
        </p>
        {others.length > 1 ? (
          <Select
            label="Against"
            allowDeselect={false}
            data={others.map(({ run_id, label }) => ({ value: run_id, label }))}
            value={chosen}
            onChange={value => setChosen(value ?? chosen)}
          />
        ) : null}
        <TextInput label="Dataset name" required maxLength={200} {...textField(name ?? usual, setName)} />
        {make.error ? <ErrorState error={make.error} title="Couldn’t pair the answers" /> : null}
        <DialogActions onCancel={onClose}>
          <ReasonedButton
            blocked={(name ?? usual).trim() === '' ? 'Enter a name.' : null}
            loading={make.isPending}
            onClick={() => make.mutate()}
          >
            Make pairs
          </ReasonedButton>
        </DialogActions>
      </div>
    </Modal>
  )
}

/** Pairs of one dataset: as many as one request adds and one reviews. */
const mostPairs = mostReviewsAtOnce

async function pairRuns(name: string, run_id: string, against_run_id: string) {
  const { id } = await call('createDataset', { body: { name, task: 'pairwise' } })
  const params = { dataset_id: id }
  const { skipped } = await call('addExamplesFromRun', { params, body: { run_id, against_run_id, limit: mostPairs } })
  const added = await everyPage(cursor => call('listExamples', { params, query: { cursor, limit: 100 } }))
  if (added.length === 0) throw new Error(`The runs have no task that both answered. ${skipped[0]?.reason ?? ''}`)
  const examples = added.map(({ id: example_id, revision }) => ({ example_id, revision }))
  await call('reviewExamples', { params, body: { examples, decision: 'approve' } })
  const { id: versionId } = await call('createDatasetVersion', { params, body: {} })
  return { datasetId: id, versionId, pairs: added.length }
}
