import { Button, Progress } from '@mantine/core'
import { Link } from 'react-router'
import type { LocalModel } from '../../contract/local-models/local-models.schemas.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { formatCount, formatNumber, noNumber } from '../../lib/format/numbers.ts'
import { useJob } from '../app/background-jobs.queries.ts'
import { quoteAddress } from '../catalog/catalog-links.ts'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import type { Status } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

const fits: Readonly<Record<LocalModel['fit']['status'], Status>> = {
  yes: { word: 'Fits', tone: 'pass' },
  slow: { word: 'Slow', tone: 'warn' },
  no: { word: 'Too large', tone: 'fail' },
}

const locations: Readonly<Record<LocalModel['location'], string>> = {
  added: 'Added folder',
  lm_studio: 'LM Studio',
  hugging_face: 'Hugging Face',
  llama_cpp: 'llama.cpp',
  ollama: 'Ollama',
  jan: 'Jan',
  gpt4all: 'GPT4All',
}

export const locationName = (location: LocalModel['location']): string => locations[location]

interface ModelFilesProps {
  readonly models: readonly LocalModel[]
  /** Path of the file that is read to be run. */
  readonly wanted: string | null
  readonly onRun: (model: LocalModel) => void
}

/** The models of the files that were found, each with a way to run it. */
export function ModelFiles({ models, wanted, onRun }: ModelFilesProps) {
  const columns: readonly Column<LocalModel>[] = [
    {
      id: 'name',
      title: 'Name',
      width: 160,
      grow: true,
      rowHeader: true,
      cell: ({ name, path }) => (
        <span title={path}>
          <UntrustedText text={name} layout="prose" />
        </span>
      ),
    },
    { id: 'where', title: 'Found in', width: 108, cell: ({ location }) => locations[location] },
    {
      id: 'parameters',
      title: 'Parameters',
      width: 92,
      align: 'end',
      cell: ({ parameters }) => (parameters === null ? noNumber : describeParameters(parameters)),
    },
    {
      id: 'quantization',
      title: 'Quantization',
      width: 104,
      cell: ({ quantization }) => <UntrustedText text={quantization ?? noNumber} layout="inline" />,
    },
    { id: 'size', title: 'Size', width: 80, align: 'end', cell: ({ size_bytes }) => formatBytes(size_bytes) },
    {
      id: 'context',
      title: 'Context',
      width: 76,
      align: 'end',
      cell: ({ trained_context_tokens: tokens }) => (tokens === null ? noNumber : formatCount(tokens)),
    },
    { id: 'template', title: 'Chat', width: 52, cell: ({ chat_template }) => (chat_template ? 'Yes' : 'No') },
    { id: 'state', title: 'Memory', width: 150, cell: model => <MemoryState model={model} /> },
    { id: 'run', title: 'Actions', width: 150, cell: model => <RunButton model={model} isWanted={wanted === model.path} onRun={onRun} /> },
  ]
  return <PlainTable label="GGUF files" columns={columns} rows={models} rowId={({ path }) => path} />
}

function MemoryState({ model }: { readonly model: LocalModel }) {
  const { fit, loaded, problem } = model
  if (problem !== null) return <UntrustedText text={problem} layout="prose" />
  if (!loaded)
    return (
      <StatusBadge
        status={fits[fit.status]}
        title={`Needs ${formatBytes(fit.needed_bytes)} with ${formatCount(fit.context_tokens)} tokens of context; ${formatBytes(fit.free_bytes)} is free.`}
      />
    )
  if (loaded.state === 'loading')
    return (
      <span className="stack">
        Loading
        <Progress value={loaded.progress * 100} aria-label={`Loading ${model.name}`} />
      </span>
    )
  const facts = [
    loaded.memory_bytes === null ? null : formatBytes(loaded.memory_bytes),
    loaded.devices[0] ??
      (loaded.threads === null ? loaded.backend : `${loaded.backend}, ${loaded.threads} ${loaded.threads === 1 ? 'thread' : 'threads'}`),
    perSecond('prompt', loaded.prompt_tokens_per_second),
    perSecond('generation', loaded.generated_tokens_per_second),
  ]
  return (
    <span className="stack">
      <StatusBadge status={{ word: loaded.calls > 0 ? 'Computing' : 'In memory', tone: loaded.calls > 0 ? 'running' : 'pass' }} />
      <span className="quiet small">{facts.filter(fact => fact !== null).join(' · ')}</span>
    </span>
  )
}

function perSecond(what: string, tokens: number | null): string | null {
  return tokens === null ? null : `${what} ${formatNumber(tokens, tokens < 10 ? 1 : 0)} tokens/s`
}

function RunButton({
  model,
  isWanted,
  onRun,
}: {
  readonly model: LocalModel
  readonly isWanted: boolean
  readonly onRun: (model: LocalModel) => void
}) {
  const job = useJob(model.job_id)
  const { progress } = job.data ?? {}
  if (model.route_id !== null)
    return (
      <Button component={Link} to={quoteAddress({ route: model.route_id })} variant="default" size="xs">
        New run with this model
      </Button>
    )
  if (model.job_id !== null && model.problem === null)
    return (
      <span className="stack">
        <span className="quiet small">Reading the file</span>
        <Progress value={progress?.total ? (progress.done / progress.total) * 100 : 0} aria-label={`Reading ${model.name}`} />
      </span>
    )
  return (
    <Button variant="default" size="xs" loading={isWanted} disabled={model.problem !== null} onClick={() => onRun(model)}>
      Run a benchmark
    </Button>
  )
}

const scales = [
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const

/** As model names state it: 7.2B, 120K. */
function describeParameters(count: number): string {
  const [unit, letter] = scales.find(([size]) => count >= size) ?? [1, '']
  return `${formatNumber(count / unit, count / unit < 10 ? 1 : 0)}${letter}`
}
