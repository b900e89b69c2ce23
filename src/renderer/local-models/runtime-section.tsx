import { Button, Progress, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { LocalRuntime, RuntimeBackend } from '../../contract/local-models/local-models.schemas.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { useJob, useJobAction } from '../app/background-jobs.queries.ts'
import { textField } from '../ui/forms/fields.ts'
import { Section } from '../ui/page/page-header.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useInstallRuntime, useRemoveRuntime } from './local-models.queries.ts'

const backendNames: Readonly<Record<RuntimeBackend, string>> = { cpu: 'Processor', metal: 'Metal', vulkan: 'Vulkan', cuda: 'CUDA' }

/** What loads GGUF files: installed once, with size and host stated before anything is fetched. */
export function RuntimeSection({ runtime }: { readonly runtime: LocalRuntime }) {
  const install = useInstallRuntime()
  const remove = useRemoveRuntime()
  const cancel = useJobAction('cancelJob')
  const installing = runtime.status === 'installing' ? runtime.job_id : null
  const job = useJob(installing)
  const [chosen, setChosen] = useState<RuntimeBackend | null>(null)
  const [source, setSource] = useState('')
  const option = runtime.options.find(({ backend }) => backend === chosen) ?? preferred(runtime)
  const { progress } = job.data ?? {}
  const share = progress?.total ? (progress.done / progress.total) * 100 : 0
  return (
    <Section title="Runtime" aside={<StatusBadge status={statuses[runtime.status]} />}>
      {runtime.problem === null ? null : (
        <Notice tone="fail" title="Install failed">
          <UntrustedText text={runtime.problem} layout="prose" />
        </Notice>
      )}
      {runtime.status === 'installing' ? (
        <div className="stack">
          <Progress value={share} aria-label="Install progress" />
          <div className="row">
            <span className="quiet num">{progress?.message ?? 'Starting…'}</span>
            {installing === null ? null : (
              <Button size="compact-sm" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(installing)}>
                Cancel
              </Button>
            )}
          </div>
        </div>
      ) : null}
      {runtime.status === 'ready' ? (
        <div className="row">
          <span>
            node-llama-cpp {runtime.version}, {runtime.backend ? backendNames[runtime.backend] : null}
          </span>
          <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate(undefined)}>
            Remove
          </Button>
        </div>
      ) : null}
      {runtime.status === 'not_installed' && option === undefined ? (
        <p>llama.cpp is not built for this machine. Connect a model server instead.</p>
      ) : null}
      {runtime.status === 'not_installed' && option !== undefined ? (
        <div className="stack">
          <p className="prose" style={{ margin: 0 }}>
            Running a GGUF file needs node-llama-cpp {runtime.version}: {formatBytes(option.download_bytes)}{' '}
            {runtime.host === null ? 'to download' : `from ${runtime.host}`}, {formatBytes(option.unpacked_bytes)} on disk. Every file is
            checked against Assay’s own list of digests.
          </p>
          {runtime.host === null ? (
            <TextInput
              label="Source"
              description="Address of an npm registry, or a folder with the packages: npm is not installed here."
              placeholder="https://…"
              {...textField(source, text => setSource(text.trim()))}
              maw={420}
            />
          ) : null}
          <div className="row">
            {runtime.options.length > 1 ? (
              <Select
                aria-label="Device"
                data={runtime.options.map(({ backend }) => ({ value: backend, label: backendNames[backend] }))}
                value={option.backend}
                onChange={value => setChosen(runtime.options.find(({ backend }) => backend === value)?.backend ?? null)}
                w={160}
              />
            ) : null}
            <Button
              disabled={runtime.host === null && source === ''}
              loading={install.isPending}
              onClick={() => install.mutate({ backend: option.backend, source })}
            >
              Install runtime
            </Button>
          </div>
        </div>
      ) : null}
    </Section>
  )
}

const statuses = {
  not_installed: { word: 'Not installed', tone: 'neutral' },
  installing: { word: 'Installing', tone: 'running' },
  ready: { word: 'Ready', tone: 'pass' },
} as const

function preferred({ options }: LocalRuntime): LocalRuntime['options'][number] | undefined {
  return options.find(({ backend }) => backend === 'metal') ?? options[0]
}
