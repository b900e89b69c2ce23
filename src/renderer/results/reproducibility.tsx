import { describeFormat, describeImageLimit, describeReasoning } from '../../contract/catalog/describe-generation.ts'
import { describeRequestSettings } from '../../contract/connections/request-settings.schemas.ts'
import type { FrozenProfile } from '../../contract/quotes/quotes.schemas.ts'
import type { Results } from '../../contract/runs/results.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { codeLanguageNames, sandboxText } from '../../lib/format/sandbox-text.ts'
import { formatTimestamp } from '../../lib/format/time.ts'
import { coverageText, settingsText } from '../quotes/describe-frozen.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { CopyButton, Identifier } from '../ui/values/copy-button.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

const columns: readonly Column<FrozenProfile>[] = [
  {
    id: 'profile',
    title: 'Profile',
    width: 220,
    grow: true,
    rowHeader: true,
    cell: profile => (
      <>
        <UntrustedText text={profile.profile_id} layout="prose" />
        <div className="quiet">
          <UntrustedText text={profile.source_ref} layout="prose" />
        </div>
      </>
    ),
  },
  {
    id: 'tasks',
    title: 'Tasks',
    width: 110,
    align: 'end',
    cell: profile => `${formatCount(profile.tasks_selected)} of ${formatCount(profile.tasks_available)}`,
  },
  { id: 'shots', title: 'Shots', width: 56, align: 'end', cell: profile => formatCount(profile.shots) },
  {
    id: 'version',
    title: 'Tasks digest',
    width: 116,
    cell: profile => <Identifier value={profile.version_digest} what="version digest" />,
  },
  { id: 'prompt', title: 'Prompt digest', width: 116, cell: profile => <Identifier value={profile.prompt_digest} what="prompt digest" /> },
  {
    id: 'generation',
    title: 'Generation',
    width: 210,
    cell: ({ generation }) =>
      [
        generation.temperature === null ? 'provider’s temperature' : `temperature ${generation.temperature}`,
        `up to ${formatCount(generation.max_output_tokens)} tokens`,
        generation.stop.length > 0 ? `stops at ${generation.stop.map(stop => JSON.stringify(stop)).join(', ')}` : null,
        ...describeReasoning(generation),
        ...describeFormat(generation),
        ...describeImageLimit(generation),
      ]
        .filter(Boolean)
        .join(', '),
  },
]

/** Everything needed to reproduce the run and verify that it is the same. */
export function Reproducibility({ results }: { readonly results: Results }) {
  const { reproducibility, coverage } = results
  const notRun = coverage.missing + coverage.cancelled
  const { model, execution, sandboxes = [] } = reproducibility
  return (
    <>
      <div className="results-pair">
        <KeyValues
          items={{
            Model: <UntrustedText text={`${model.title} (${model.provider} ${model.model})`} layout="prose" />,
            Endpoint: model.origin === null ? null : <UntrustedText text={model.origin} layout="prose" />,
            Coverage: `${coverageText(coverage, reproducibility.profiles)}${notRun === 0 ? '' : `, ${formatCount(notRun)} samples not run`}`,
            Seed: coverage.seed,
            Epochs: coverage.epochs,
            ...Object.fromEntries(
              [...Map.groupBy(sandboxes, ({ language }) => language)].map(([language, records]) => [
                `${codeLanguageNames[language]} was run in`,
                records.map(sandboxText).join('. Later in '),
              ]),
            ),
            ...settingsText(execution),
            'Request settings':
              model.request_settings === undefined ? null : (
                <UntrustedText
                  text={describeRequestSettings(model.request_settings)
                    .map(({ name, value }) => `${name} ${value}`)
                    .join(', ')}
                  layout="prose"
                />
              ),
          }}
        />
        <KeyValues
          items={{
            Run: <Identifier value={results.run_id} what="run id" shown={36} />,
            ...(reproducibility.quote_id === null
              ? {}
              : { Quote: <Identifier value={reproducibility.quote_id} what="quote id" shown={36} /> }),
            ...(reproducibility.answers
              ? { Answers: <Identifier value={reproducibility.answers.digest} what="digest of the imported files" shown={12} /> }
              : {}),
            'Task list': <Identifier value={coverage.task_digest} what="task digest" shown={16} />,
            Samples: <Identifier value={reproducibility.samples_digest} what="samples digest" shown={16} />,
            'Result version': results.result_version,
            Assay: `${reproducibility.app_version}, interface ${reproducibility.service_version}`,
            Started: formatTimestamp(reproducibility.started_at),
            Finished: formatTimestamp(reproducibility.finished_at),
          }}
        />
      </div>
      <PlainTable label="Profiles as they ran" columns={columns} rows={reproducibility.profiles} rowId={profile => profile.profile_id} />
      <div className="row small">
        Download as JSON
        <CopyButton
          value={JSON.stringify({ run_id: results.run_id, coverage, ...reproducibility }, null, 2)}
          what="reproducibility record"
        />
      </div>
    </>
  )
}
