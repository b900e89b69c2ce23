import { createElement as h, type ReactElement } from 'react'
import { profileName } from '../../../../lib/format/benchmark-names.ts'
import { describeImageLimit, describeReasoning } from '../../../../contract/catalog/describe-generation.ts'
import { describeRequestSettings } from '../../../../contract/connections/request-settings.schemas.ts'
import type { FrozenProfile } from '../../../../contract/quotes/quotes.schemas.ts'
import type { Results } from '../../../../contract/runs/results.schemas.ts'
import { codeLanguageNames, sandboxText } from '../../../../lib/format/sandbox-text.ts'
import { formatDuration, formatTimestamp } from '../../../../lib/format/time.ts'
import { code, definitions, section, table, untrusted } from './elements.ts'

/** Everything needed to run it again, or to see that two runs were not the same. */
export function reproducibility(results: Results): ReactElement {
  const { reproducibility: facts, coverage } = results
  const { execution, model, sandboxes = [] } = facts
  return section(
    'reproducibility',
    'Reproducibility',
    definitions([
      ['Run', code(results.run_id)],
      ['Result version', String(results.result_version)],
      ['Results made', formatTimestamp(results.created_at)],
      ...(facts.quote_id === null ? [] : [['Quote', code(facts.quote_id)] as const]),
      ...(facts.answers
        ? [['Answers', 'imported from files'] as const, ['SHA-256 of the files', code(facts.answers.digest)] as const]
        : []),
      ['Started', formatTimestamp(facts.started_at)],
      ['Finished', formatTimestamp(facts.finished_at)],
      ['Seed', coverage.seed === null ? 'none: every task' : String(coverage.seed)],
      ['Digest of the task list', code(coverage.task_digest)],
      ['Digest of the samples', code(facts.samples_digest)],
      ['Model route', code(model.route_id ?? model.connection_id ?? 'none')],
      ...(execution.mode === 'batch' ? [['Mode', 'batch'] as const] : []),
      ['Concurrency', execution.concurrency === null ? 'left to the endpoint’s limits' : String(execution.concurrency)],
      ['Attempts per sample, at most', String(execution.max_attempts)],
      ['Throttling patience', formatDuration(execution.throttle_patience_ms ?? null)],
      ['Streamed answers', model.streaming && model.parameters?.streaming !== false ? 'yes' : 'no'],
      ...(model.request_settings ? describeRequestSettings(model.request_settings) : []).map(
        ({ name, value }) => [`Request setting ${name}`, code(value)] as const,
      ),
      ...sandboxes.flatMap(record => [
        [`${codeLanguageNames[record.language]} was run in`, untrusted(sandboxText(record))] as const,
        ['Digest of the probes', code(record.probes_digest)] as const,
      ]),
      ['Assay', untrusted(`${facts.app_version}, service ${facts.service_version}`)],
    ]),
    ...facts.profiles.map(profileFacts),
  )
}

function profileFacts(profile: FrozenProfile): ReactElement {
  const { generation } = profile
  return h(
    'div',
    { key: profile.profile_id },
    h('h3', null, untrusted(profileName(profile))),
    definitions([
      ['Profile', code(profile.profile_id)],
      ['Source', code(profile.source_ref)],
      ['Digest of the data', code(profile.version_digest)],
      ['Digest of the prompt', code(profile.prompt_digest)],
      ['Temperature', generation.temperature === null ? 'the provider’s own' : String(generation.temperature)],
      ['Max output tokens', `${generation.max_output_tokens} tokens`],
      ['Reasoning', describeReasoning(generation).join(', ') || 'kept apart and not graded'],
      ...describeImageLimit(generation).map(limit => ['Images', limit] as const),
      ['Stop sequences', generation.stop.length === 0 ? 'none' : code(generation.stop.map(stop => JSON.stringify(stop)).join(', '))],
    ]),
    table(
      'Scorers',
      [{ label: 'Metric' }, { label: 'Scorer' }, { label: 'Version', numeric: true }, { label: 'Options' }],
      profile.metrics.map(metric => [
        untrusted(metric.title),
        code(metric.scorer),
        String(metric.scorer_version),
        code(JSON.stringify(metric.options)),
      ]),
    ),
  )
}
