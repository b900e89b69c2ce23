import { Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useMemo, useState } from 'react'
import { isTableFormat } from '../../contract/catalog/file-formats.ts'
import { isMediaName } from '../../lib/media-name.ts'
import { pathOf } from '../api/upload.ts'
import { textField } from '../ui/forms/fields.ts'
import { FileDrop } from '../ui/forms/file-drop.tsx'
import { notifyFailed } from '../ui/page/notify.ts'
import { Section } from '../ui/page/page-header.tsx'
import { blockedImport, checking, missingColumn } from './blocked-import.ts'
import { ChosenFiles } from './chosen-files.tsx'
import { chosenMedia, FetchMediaChoice } from './fetch-media-choice.tsx'
import {
  formatOf,
  formatOptions,
  isArchive,
  isSettings,
  isTable,
  mainFile,
  mappableFields,
  recognize,
  shownMapping,
  takesSeveral,
  type ImportFields,
  type ImportFormat,
  type Mapping,
} from './import-form.ts'
import { ImportOutcome } from './import-outcome.tsx'
import { ImportCounts, ImportPreview } from './import-preview.tsx'
import { useImport } from './imports.queries.ts'
import { WorldOffer } from '../worlds/world-offer.tsx'
import { LeaveOutChoice } from './leave-out-choice.tsx'
import { MappingForm } from './mapping-form.tsx'
import { TaskChoice } from './task-choice.tsx'
import { noSettings, toProfile } from './profile-settings.ts'
import { ProfileSettingsForm } from './profile-settings-form.tsx'

/** Milliseconds without a keystroke before the preview is made again. */
const typingMs = 500

/** What was dropped before this form was in view. */
export interface BegunImport {
  readonly files: readonly File[]
  readonly format: ImportFormat | null
}

interface FileImportProps {
  readonly begun: BegunImport
  /** Takes files that become an environment instead. */
  readonly onWorld: (files: readonly File[]) => void
}

/** A benchmark from a file of one's own: format, columns, name, and a preview that follows every change. */
export function FileImport({ begun, onWorld }: FileImportProps) {
  const [files, setFiles] = useState(begun.files)
  const [format, setFormat] = useState(begun.format)
  const [chosen, setChosen] = useState<Mapping>({})
  const [settings, setSettings] = useState(noSettings)
  const [leaveOut, setLeaveOut] = useState(false)
  const [fetchMedia, setFetchMedia] = useState<NonNullable<ImportFields['fetch_media']>>({})
  const [task, setTask] = useState<string | null>(null)
  const [settled] = useDebouncedValue(settings, typingMs)
  const [title, setTitle] = useState({ name: '', version: '' })
  const preview = useImport('preview')
  const landing = useImport('import')

  const columns = preview.record?.columns
  const mapping = shownMapping(preview.record?.mapping ?? null, chosen)
  const fields = useMemo((): ImportFields | null => {
    const isMapped = format !== null && mappableFields(format).length > 0 && Object.keys(chosen).length > 0
    const profile = format !== null && isTableFormat(format) ? toProfile(settled) : undefined
    return format
      ? {
          format,
          ...(isMapped ? { mapping: chosen } : {}),
          ...(profile && { profile }),
          ...(leaveOut && { leave_out: true }),
          ...chosenMedia(fetchMedia),
          ...(task !== null && { task }),
        }
      : null
  }, [format, chosen, settled, leaveOut, fetchMedia, task])

  const { send, forget } = preview
  useEffect(() => {
    if (files.length > 0 && fields) send({ fields, files })
  }, [files, fields, send])

  const file = mainFile(files)
  const show = async (all: readonly File[]): Promise<void> => {
    const main = mainFile(all)
    if (main && main !== file) {
      const found = await recognize(main)
      forget()
      setFormat(found)
      setChosen({})
      setSettings(noSettings)
      setLeaveOut(false)
      setFetchMedia({})
      setTask(null)
    }
    setFiles(all)
  }
  const showOrSay = (all: readonly File[]): void => {
    show(all).catch((error: unknown) => notifyFailed('The file cannot be read', error))
  }
  const take = (more: readonly File[]): void => {
    const isOther = more.some(isTable) && !more.some(isSettings) && format !== null && isTableFormat(format)
    const all = isOther ? more : withoutRepeats([...files, ...more])
    showOrSay(takesSeveral(format) || more.some(isSettings) || more.some(isArchive) || more.some(isTable) ? all : more.slice(0, 1))
  }
  const named = {
    ...(title.name.trim() ? { name: title.name.trim() } : {}),
    ...(title.version.trim() ? { version: title.version.trim() } : {}),
  }

  return (
    <>
      <Section title="Your file">
        <FileDrop
          label="Drop a file here, or choose it"
          hint="JSON Lines, JSON, CSV, Excel or Parquet, also packed (gzip, zstd, bzip2, xz), alone or in a folder or zip with the images, audio or PDFs that its rows name; a YAML file of promptfoo or lm-evaluation-harness with the files it names; or a folder of lm-evaluation-harness tasks, as it is or as a zip or tar archive."
          disabled={landing.busy}
          folders
          onFiles={take}
        />
        <ChosenFiles
          files={files}
          onRemove={one => {
            forget()
            forget()
            showOrSay(files.filter(other => other !== one))
          }}
        />
        <WorldOffer files={files} onAccept={() => onWorld(files)} />
        {file && preview.record && !preview.busy ? <ImportCounts record={preview.record} errorsBelow /> : null}
        {file ? (
          <Select
            label="Format"
            description={
              takesSeveral(format)
                ? 'Files that it names are sent with it: drop them, too.'
                : format && format === formatOf(file.name)
                  ? 'Recognized by the name of the file.'
                  : isMediaName(file.name)
                    ? 'Not a benchmark by itself. Drop the table that names it, too.'
                    : 'Choose the format of the file.'
            }
            w={360}
            data={formatOptions}
            value={format}
            onChange={value => {
              setFormat(formatOptions.some(option => option.value === value) ? (value as ImportFormat) : null)
              setLeaveOut(false)
            }}
          />
        ) : null}
      </Section>
      {file && columns && format ? (
        <MappingForm
          columns={columns}
          samples={preview.record?.column_samples ?? []}
          fields={mappableFields(format)}
          mapping={mapping}
          answerKey={preview.record?.answer_key ?? null}
          splits={preview.record?.splits ?? []}
          missing={preview.record && missingColumn(preview.record) === 'target' ? 'target' : null}
          onChange={change => setChosen(before => ({ ...before, ...change }))}
        />
      ) : null}
      {file && columns && format && isTableFormat(format) ? (
        <ProfileSettingsForm draft={settings} record={preview.record} onChange={setSettings} />
      ) : null}
      <TaskChoice choices={preview.record?.choices ?? []} chosen={task} onChange={setTask} />
      {file ? <ImportPreview attempt={preview} /> : null}
      {file ? <FetchMediaChoice record={preview.record} chosen={fetchMedia} onChange={setFetchMedia} /> : null}
      {file && format ? <LeaveOutChoice format={format} record={preview.record} chosen={leaveOut} onChange={setLeaveOut} /> : null}
      {file && fields ? (
        <>
          <Section title="Name">
            <TextInput label="Benchmark name" required w={360} {...textField(title.name, text => setTitle({ ...title, name: text }))} />
            <TextInput
              label="Version"
              description="Made from the content’s digest when empty."
              w={360}
              {...textField(title.version, text => setTitle({ ...title, version: text }))}
            />
          </Section>
          <ImportOutcome
            attempt={landing}
            blocked={
              settings === settled
                ? (blockedImport(preview, { files, fields }) ?? (title.name.trim() === '' ? 'Enter a benchmark name.' : null))
                : checking
            }
            onImport={() => landing.send({ fields: { ...fields, ...named }, files })}
          />
        </>
      ) : null}
    </>
  )
}

/** Files by name; of two alike the later one counts. */
function withoutRepeats(files: readonly File[]): File[] {
  return files.filter((file, i) => !files.slice(i + 1).some(later => pathOf(later) === pathOf(file)))
}
