import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import type { SampleDetail } from '../../contract/runs/samples.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { call } from '../api/client.ts'
import { saveText } from '../api/download.ts'
import { exportFileName } from '../results/export-file-name.ts'
import { notifyDone, notifyFailed } from '../ui/page/notify.ts'

/** Transcripts that are read one by one; more of them are the run's own export. */
const MOST = 1_000
const AT_ONCE = 8

/** Saves the ticked samples with their transcripts, a line of JSON for each. */
export function ExportSamples({ run, chosen }: { readonly run: Run; readonly chosen: ReadonlySet<string> }) {
  const [busy, setBusy] = useState(false)
  if (chosen.size === 0) return null
  const save = async (): Promise<void> => {
    setBusy(true)
    try {
      if (chosen.size > MOST)
        throw new Error(
          `${formatCount(chosen.size)} samples are selected, and at most ${formatCount(MOST)} are exported. Export the run instead.`,
        )
      const samples = await readAll(run.id, [...chosen])
      const name = exportFileName({ id: run.id, name: `${run.name} samples` }, run.result_version ?? 1, 'json').replace(/json$/, 'jsonl')
      const lines = samples.toSorted((a, b) => a.position - b.position).map(sample => `${JSON.stringify(sample)}\n`)
      if (await saveText(lines.join(''), 'application/x-ndjson', name)) notifyDone(`Saved ${name}.`)
    } catch (error) {
      notifyFailed('The export was not saved', error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button variant="default" loading={busy} onClick={() => void save()}>
      Export {formatCount(chosen.size)} (JSON Lines)
    </Button>
  )
}

async function readAll(runId: string, ids: readonly string[]): Promise<readonly SampleDetail[]> {
  const samples: SampleDetail[] = []
  for (let start = 0; start < ids.length; start += AT_ONCE)
    samples.push(
      ...(await Promise.all(ids.slice(start, start + AT_ONCE).map(id => call('getSample', { params: { run_id: runId, sample_id: id } })))),
    )
  return samples
}
