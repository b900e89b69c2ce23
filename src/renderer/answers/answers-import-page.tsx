import { Checkbox, SegmentedControl, Select, SimpleGrid, TextInput, MultiSelect } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import type { AnswerMapping } from '../../contract/answers/answers.schemas.ts'
import type { FetchMedia } from '../../contract/catalog/remote-media.schemas.ts'
import { ChosenFiles } from '../catalog/chosen-files.tsx'
import { useBenchmark, useBenchmarks } from '../catalog/catalog.queries.ts'
import { chosenMedia, FetchMediaChoice } from '../catalog/fetch-media-choice.tsx'
import { FileDrop } from '../ui/forms/file-drop.tsx'
import { checkField, textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { answerColumns, blockedAnswers, withColumn, withIndexBase, withScore, withScores, withSetting } from './answers-form.ts'
import { AnswersOutcome } from './answers-outcome.tsx'
import { ScoreRange } from './score-range.tsx'
import { ScoreWords } from './score-words.tsx'
import { AnswersPreview } from './answers-preview.tsx'
import { type AnswerFields, useAnswersImport } from './answers.queries.ts'

/** Outputs that a model gave elsewhere, as runs that are graded here. */
export function AnswersImportPage() {
  const { get, set } = useAddress()
  const isLog = get('kind') === 'log'
  const [files, setFiles] = useState<readonly File[]>([])
  const [mapping, setMapping] = useState<AnswerMapping>({})
  const [fetchMedia, setFetchMedia] = useState<FetchMedia>({})
  const [model, setModel] = useState('')
  const [name, setName] = useState('')
  const preview = useAnswersImport('preview')
  const landing = useAnswersImport('import')
  const profileId = get('profile')
  const ready = isLog || profileId !== ''

  const fields = useMemo((): AnswerFields => {
    const isMapped = !isLog && Object.keys(mapping).length > 0
    return { ...(isLog ? {} : { profile_id: profileId }), ...(isMapped ? { mapping } : {}), ...chosenMedia(fetchMedia) }
  }, [isLog, profileId, mapping, fetchMedia])
  const { send, forget } = preview
  useEffect(() => {
    if (files.length > 0 && ready) send({ fields, files })
  }, [files, fields, ready, send])
  const show = (all: readonly File[]): void => {
    forget()
    landing.forget()
    setMapping({})
    setFetchMedia({})
    setFiles(all)
  }
  const { record } = preview
  const scores = mapping.scores ?? record?.mapping?.scores ?? []
  const named = { ...(model.trim() ? { model: model.trim() } : {}), ...(name.trim() ? { name: name.trim() } : {}) }

  return (
    <Page layout="narrow">
      <PageHeader
        title="Import outputs"
        parent={{ title: 'Runs', to: '/runs' }}
        description="Import outputs generated elsewhere as runs and grade them. No model is called and nothing is charged."
      />
      <Section title="Kind of file">
        <SegmentedControl
          aria-label="Kind of file"
          style={{ alignSelf: 'flex-start' }}
          data={[
            { value: 'table', label: 'Outputs for a benchmark' },
            { value: 'log', label: 'Log of another tool' },
          ]}
          value={isLog ? 'log' : 'table'}
          onChange={value => {
            set({ kind: value === 'log' ? 'log' : null })
            show([])
          }}
        />
        {isLog ? null : (
          <ProfileChoice
            benchmark={get('benchmark')}
            profile={profileId}
            onBenchmark={slug => set({ benchmark: slug, profile: null })}
            onProfile={id => set({ profile: id })}
          />
        )}
      </Section>
      <Section title="Files">
        <FileDrop
          label="Drop the files here, or choose them"
          hint={
            isLog
              ? 'Inspect (.eval, .json), promptfoo (.json), LiveCodeBench (*_eval_all.json), or the output folder of lm-evaluation-harness or Inspect, as it is or as a zip or tar archive; results of HELM, lighteval, deepeval, AlpacaEval, EvalPlus and OpenAI evals.'
              : 'JSON Lines, JSON, CSV or Parquet with a task id or question and an output; or samples of EvalPlus.'
          }
          disabled={landing.busy || !ready}
          folders={isLog}
          onFiles={more => show([...files, ...more])}
        />
        <ChosenFiles files={files} onRemove={file => show(files.filter(one => one !== file))} />
      </Section>
      {!isLog && record && record.columns.length > 0 ? (
        <Section title="Columns">
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
            {answerColumns.map(({ column, label, help }) => (
              <Select
                key={column}
                label={label}
                description={help}
                inputWrapperOrder={['label', 'input', 'error', 'description']}
                clearable
                clearButtonProps={{ 'aria-label': `No column for ${label.toLowerCase()}` }}
                placeholder="None"
                searchable={record.columns.length > 8}
                data={record.columns}
                value={mapping[column] ?? record.mapping?.[column] ?? null}
                onChange={value => setMapping(withColumn(mapping, column, value))}
              />
            ))}
            <MultiSelect
              label="Further scores"
              description="Each becomes a metric of the run; values from 0 to 1, or words."
              inputWrapperOrder={['label', 'input', 'error', 'description']}
              clearable
              clearButtonProps={{ 'aria-label': 'No further scores' }}
              data={record.columns}
              maxValues={20}
              value={scores.map(({ column }) => column)}
              onChange={columns => setMapping(withScores(mapping, columns))}
            />
            {scores.map(score => (
              <ScoreWords key={score.column} score={score} onChange={changed => setMapping(withScore(mapping, changed, scores))} />
            ))}
            {(mapping.index ?? record.mapping?.index) === undefined ? null : (
              <Select
                label="First place"
                description="Number of the first task."
                inputWrapperOrder={['label', 'input', 'error', 'description']}
                clearable
                placeholder="From the rows"
                data={['0', '1']}
                value={mapping.index_base === undefined ? null : String(mapping.index_base)}
                onChange={base => setMapping(withIndexBase(mapping, base))}
              />
            )}
          </SimpleGrid>
          {mapping.numeric_ids !== undefined || (record?.unmatched.length ?? 0) > 0 ? (
            <Checkbox
              label="Match ids as numbers"
              description="1.0 and 01 are the task 1."
              {...checkField(mapping.numeric_ids ?? false, isChecked =>
                setMapping(withSetting(mapping, { numeric_ids: isChecked || undefined })),
              )}
            />
          ) : null}
          {mapping.score === undefined ? null : <ScoreRange mapping={mapping} onChange={setMapping} />}
        </Section>
      ) : null}
      {files.length > 0 ? <AnswersPreview attempt={preview} /> : null}
      {files.length > 0 && ready ? (
        <>
          <Section title="Run">
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
              <TextInput
                label="Model name"
                description="Where the files do not name it."
                inputWrapperOrder={['label', 'input', 'error', 'description']}
                {...textField(model, setModel)}
              />
              <TextInput
                label={isLog ? 'Benchmark and run name' : 'Run name'}
                description={isLog ? 'Default: the task’s name; goes before it where there are several.' : 'Default: the model’s name.'}
                inputWrapperOrder={['label', 'input', 'error', 'description']}
                {...textField(name, setName)}
              />
            </SimpleGrid>
            <FetchMediaChoice
              record={record}
              unchosen="Without a tick, Inspect samples that show them are left out, and promptfoo prompts keep the address as text."
              chosen={fetchMedia}
              onChange={setFetchMedia}
            />
            <div>
              <ReasonedButton
                blocked={blockedAnswers(preview, { fields, files }, landing.record)}
                loading={landing.busy}
                onClick={() => landing.send({ fields: { ...fields, ...named }, files })}
              >
                Import
              </ReasonedButton>
            </div>
          </Section>
          <AnswersOutcome attempt={landing} />
        </>
      ) : null}
    </Page>
  )
}

interface ProfileChoiceProps {
  readonly benchmark: string
  readonly profile: string
  readonly onBenchmark: (slug: string | null) => void
  readonly onProfile: (id: string | null) => void
}

function ProfileChoice({ benchmark, profile, onBenchmark, onProfile }: ProfileChoiceProps) {
  const benchmarks = useBenchmarks('')
  const detail = useBenchmark(benchmark || null)
  const withData = (benchmarks.data ?? []).filter(({ latest_version: version }) => version !== null)
  const profiles = (detail.data?.profiles ?? []).filter(({ source_ref: source }) => source !== null)
  const [first] = profiles
  // The only profile is the one that is meant.
  useEffect(() => {
    if (profile === '' && first && profiles.length === 1) onProfile(first.id)
  }, [profile, first, profiles.length, onProfile])
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <Select
        label="Benchmark"
        placeholder={benchmarks.isPending ? 'Loading…' : 'Choose a benchmark'}
        searchable
        data={withData.map(({ slug: value, title: label }) => ({ value, label }))}
        value={benchmark || null}
        onChange={onBenchmark}
        nothingFoundMessage="No matching benchmark"
      />
      <Select
        label="Profile"
        placeholder="Choose a profile"
        disabled={!benchmark}
        data={profiles.map(({ id: value, title }) => ({ value, label: `${title} (${value.split('@')[1]?.split(':')[0] ?? ''})` }))}
        value={profile || null}
        onChange={onProfile}
      />
    </SimpleGrid>
  )
}
