import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { draftFileLimits, type NewWorldDraft } from '../../contract/worlds/drafts.schemas.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { pathOf } from '../api/upload.ts'
import { ChosenFiles } from '../catalog/chosen-files.tsx'
import { modelOf } from '../quotes/model-value.ts'
import { useModelChoice } from '../quotes/use-model-choice.ts'
import { FileDrop } from '../ui/forms/file-drop.tsx'
import { textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { notifyFailed } from '../ui/page/notify.ts'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { isConfiguration } from './recognize-world.ts'
import { useStartDraft } from './worlds.queries.ts'

/** Files with conversations and tools, drafted as environments in the background. */
export function WorldImport({ begun }: { readonly begun: readonly File[] }) {
  const navigate = useNavigate()
  const [files, setFiles] = useState(begun)
  const [title, setTitle] = useState('')
  const [userModel, setUserModel] = useState<string | null>(null)
  const [judge, setJudge] = useState<string | null>(null)
  const draft = useStartDraft()
  const takesModels = files.some(isConfiguration)
  const submit = async (): Promise<void> => {
    const body: NewWorldDraft = {
      files: await Promise.all(files.map(async file => ({ name: pathOf(file), content: await base64Of(file) }))),
      title: title.trim() || titleOf(files),
      ...(takesModels && userModel !== null && { user_model: { ...playerOf(userModel), max_charge_microusd: null } }),
      ...(takesModels && judge !== null && { judge: playerOf(judge) }),
    }
    draft.mutate(body, { onSuccess: ({ id }) => void navigate(`/environments/new?draft=${id}`) })
  }
  return (
    <>
      <Section title="Your files">
        <FileDrop
          label="Drop files here, or choose them"
          hint="A folder with world.yaml; BFCL’s folder “data”; a promptfoo configuration with the files it names; or conversations with tool calls as JSON Lines of OpenAI, Anthropic or ShareGPT, an Inspect dataset or log, or promptfoo results. As they are or as a zip archive."
          disabled={draft.isPending}
          folders
          onFiles={more => setFiles(before => [...before.filter(one => !more.some(other => pathOf(other) === pathOf(one))), ...more])}
        />
        <ChosenFiles files={files} onRemove={file => setFiles(before => before.filter(one => one !== file))} />
      </Section>
      {files.length > 0 ? (
        <Section title="Draft">
          <TextInput
            label="Title"
            description="Ignored where the files name their environments"
            placeholder={titleOf(files)}
            maxLength={200}
            w={360}
            {...textField(title, setTitle)}
          />
          {takesModels ? (
            <>
              <ModelSelect
                label="Simulated user"
                description="Plays users and tools that a model plays"
                value={userModel}
                onChange={setUserModel}
              />
              <ModelSelect label="Judge" description="Decides judged assertions" value={judge} onChange={setJudge} />
            </>
          ) : null}
          {draft.error ? <ErrorState error={draft.error} title="The draft was not started" /> : null}
          <div>
            <ReasonedButton
              blocked={blockedBy(files)}
              loading={draft.isPending}
              onClick={() => void submit().catch((error: unknown) => notifyFailed('The file cannot be read', error))}
            >
              Create draft
            </ReasonedButton>
          </div>
        </Section>
      ) : null}
    </>
  )
}

interface ModelSelectProps {
  readonly label: string
  readonly description: string
  readonly value: string | null
  readonly onChange: (value: string | null) => void
}

function ModelSelect({ label, description, value, onChange }: ModelSelectProps) {
  const options = (useModelChoice().options ?? []).filter(({ isModel }) => isModel)
  return (
    <Select
      label={label}
      description={description}
      placeholder="None"
      clearable
      searchable
      w={360}
      data={options.map(({ value: id, label: name, reasons }) => ({ value: id, label: name, disabled: reasons.length > 0 }))}
      value={value}
      onChange={onChange}
      nothingFoundMessage="No models. Add a connection first."
    />
  )
}

const playerOf = (model: string) => ({ model: modelOf(model), effort: null, temperature: 0 })

/** Of the folder, or of the first file. */
function titleOf([first]: readonly File[]): string {
  const [folder = '', ...rest] = first ? pathOf(first).split('/') : []
  return (rest.length > 0 ? folder : folder.replace(/\.\w+$/, '')).slice(0, 200) || 'Imported'
}

function blockedBy(files: readonly File[]): string | null {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (files.length > draftFileLimits.files)
    return `${formatCount(files.length)} files are chosen, and at most ${formatCount(draftFileLimits.files)} are taken. Pack them as a zip archive.`
  return bytes > draftFileLimits.bytes
    ? `The files have ${formatBytes(bytes)}, and at most ${formatBytes(draftFileLimits.bytes)} are taken.`
    : null
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    // An address with the bytes behind its first comma.
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result.replace(/^[^,]*,/, '') : ''))
    reader.addEventListener('error', () => reject(reader.error ?? new Error(`${file.name} can’t be read.`)))
    reader.readAsDataURL(file)
  })
}
