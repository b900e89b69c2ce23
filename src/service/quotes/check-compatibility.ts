import { capabilityName } from '../../lib/format/capability-names.ts'
import { missingCapabilities } from '../../lib/missing-capabilities.ts'
import type { Effort } from '../../contract/catalog/models.schemas.ts'
import { describeRequestSettings } from '../../contract/connections/request-settings.schemas.ts'
import type { CompatibilityCheck } from '../../contract/quotes/quotes.schemas.ts'
import { takesFormat } from '../../engine/clients/wire/place-settings.ts'
import { checkParts, type TaskParts } from './check-parts.ts'
import type { FrozenSelection } from './select-tasks.ts'
import type { SelectedModel } from './select-model.ts'

export interface PromptSizes {
  /** Tokens of the longest prompt of each profile, in their order. */
  readonly longest: readonly number[]
  /** Tokens of the files of the task with the most, of each profile. */
  readonly files: readonly number[]
}

/**
 * What could make the run fail, asked before it starts. Every check is listed, also those that pass.
 * @param parts of each selection, in their order
 */
export function checkCompatibility(
  model: SelectedModel,
  selections: readonly FrozenSelection[],
  sizes: PromptSizes,
  effort: Effort | null,
  parts: readonly TaskParts[],
): CompatibilityCheck[] {
  const checks: CompatibilityCheck[] = [
    model.unavailable === null
      ? { check: 'model_available', profile_id: null, status: 'pass', detail: `${model.snapshot.title} can be called.` }
      : { check: 'model_available', profile_id: null, status: 'fail', detail: model.unavailable },
    { check: 'permissions', profile_id: null, status: 'pass', detail: 'The workspace may use this model and these sources.' },
    { check: 'resources', profile_id: null, status: 'pass', detail: 'This machine has everything that scoring needs.' },
  ]
  if (effort !== null) checks.push(effortCheck(model, effort))
  checks.push(...settingsChecks(model, selections))
  for (const [i, selection] of selections.entries()) {
    checks.push(
      capabilities(model, selection),
      ...checkParts(
        model,
        selection.profile.id,
        parts[i] ?? { shapes: [], media: [] },
        selection.tasks.length,
        selection.generation.max_image_pixels,
      ),
      ...formatCheck(model, selection),
      availability(selection),
      inputLimit(model, selection, sizes.longest[i] ?? 0, sizes.files[i] ?? 0),
      outputLimit(model, selection),
    )
  }
  return checks
}

/** An effort that is not taken is not made to fit: the answers would be those of another setting. */
function effortCheck({ efforts, snapshot }: SelectedModel, effort: Effort): CompatibilityCheck {
  const base = { check: 'model_capabilities', profile_id: null } as const
  const rival = Object.keys(snapshot.request_settings?.extra_body ?? {}).find(key => reasoningKeys.has(key))
  if (rival !== undefined)
    return {
      ...base,
      status: 'fail',
      detail: `The connection’s extra body sets “${rival}” and this quote the reasoning effort ${effort}. Remove one of them.`,
    }
  if (efforts.includes(effort)) return { ...base, status: 'pass', detail: `The reasoning effort ${effort} is sent with every call.` }
  const choice = efforts.length === 0 ? 'It takes none.' : `It takes ${efforts.join(', ')}.`
  return { ...base, status: 'fail', detail: `${snapshot.title} takes no reasoning effort ${effort}. ${choice}` }
}

/** Keys by which providers take an effort or a budget for reasoning. */
const reasoningKeys: ReadonlySet<string> = new Set([
  'reasoning',
  'thinking',
  'think',
  'enable_thinking',
  'thinking_budget',
  'output_config',
])

/** What the connection adds to every call, and what is sent otherwise than the profiles say because the endpoint does not take it. */
function settingsChecks({ snapshot }: SelectedModel, selections: readonly FrozenSelection[]): CompatibilityCheck[] {
  const base = { check: 'model_capabilities', profile_id: null } as const
  const { request_settings: settings, parameters, streaming } = snapshot
  const sent = settings ? describeRequestSettings(settings).map(({ name, value }) => `${name} ${value}`) : []
  const temperatures = [...new Set(selections.flatMap(({ generation }) => generation.temperature ?? []))]
  return [
    ...(sent.length === 0 ? [] : [{ ...base, status: 'pass' as const, detail: `Sent with every call: ${sent.join(', ')}.` }]),
    ...(parameters?.temperature === false && temperatures.length > 0
      ? [
          {
            ...base,
            status: 'warn' as const,
            detail: `${snapshot.title} takes no temperature: ${temperatures.join(', ')} is not sent, and the provider’s default applies.`,
          },
        ]
      : []),
    ...(parameters?.system_role === false
      ? [
          {
            ...base,
            status: 'pass' as const,
            detail: `${snapshot.title} takes no system prompt: it is sent at the head of the first user message.`,
          },
        ]
      : []),
    ...(streaming && parameters?.streaming === false
      ? [{ ...base, status: 'pass' as const, detail: `${snapshot.title} does not stream: answers are requested whole.` }]
      : []),
  ]
}

function capabilities(model: SelectedModel, { profile, definition }: FrozenSelection): CompatibilityCheck {
  const missing = missingCapabilities(definition.requires, model.capabilities)
  return missing.length === 0
    ? {
        check: 'model_capabilities',
        profile_id: profile.id,
        status: 'pass',
        detail: `Needs ${definition.requires.join(', ') || 'nothing special'}; supported by the model.`,
      }
    : {
        check: 'model_capabilities',
        profile_id: profile.id,
        status: 'fail',
        detail: `The model has no ${missing.map(capabilityName).join(', ')}. Choose another model or profile.`,
      }
}

/** Never sent without its format: the answers would be those of another setting. */
function formatCheck({ protocol, snapshot }: SelectedModel, { profile, generation }: FrozenSelection): CompatibilityCheck[] {
  const { response_format: format } = generation
  if (!format || protocol === null) return []
  const base = { check: 'model_capabilities', profile_id: profile.id } as const
  return takesFormat(protocol)
    ? [{ ...base, status: 'pass', detail: `Answers are JSON after the schema “${format.name}”, in the form of the protocol.` }]
    : [
        {
          ...base,
          status: 'fail',
          detail: `${snapshot.title} has no structured output, which the profile asks for. Choose another model or profile.`,
        },
      ]
}

function availability({ profile, tasks, available, asked }: FrozenSelection): CompatibilityCheck {
  if (tasks.length === 0) return { check: 'task_availability', profile_id: profile.id, status: 'fail', detail: 'The profile has no tasks.' }
  return asked !== null && asked > available
    ? {
        check: 'task_availability',
        profile_id: profile.id,
        status: 'warn',
        detail: `${asked} tasks were requested and ${available} exist; all of them are used.`,
      }
    : { check: 'task_availability', profile_id: profile.id, status: 'pass', detail: `${tasks.length} of ${available} tasks selected.` }
}

/** @param files tokens of the files of one task at most, as far as they are counted; they may be of another task than the longest prompt */
function inputLimit(model: SelectedModel, selection: FrozenSelection, longest: number, files: number): CompatibilityCheck {
  const ofText = textLimit(model, selection, longest)
  const limit = model.contextTokens ?? model.servedContextTokens
  const needed = longest + files + selection.generation.max_output_tokens
  if (files === 0 || limit === null || needed <= limit || ofText.status !== 'pass') return ofText
  return {
    ...ofText,
    status: 'warn',
    detail: `A prompt with its files (up to about ${longest + files} tokens) and answer (${selection.generation.max_output_tokens}) may exceed the model's ${limit} tokens. Make the files smaller, or choose another model.`,
  }
}

function textLimit(model: SelectedModel, { profile, generation }: FrozenSelection, longest: number): CompatibilityCheck {
  const base = { check: 'input_limit', profile_id: profile.id } as const
  const served = model.servedContextTokens
  if (model.contextTokens === null && served !== null) {
    const needed = longest + generation.max_output_tokens
    return needed <= served
      ? {
          ...base,
          status: 'pass',
          detail: `The longest prompt and answer need about ${needed} of the ${served} tokens that the server states.`,
        }
      : {
          ...base,
          status: 'warn',
          detail: `The longest prompt (about ${longest} tokens) and answer (${generation.max_output_tokens}) pass the ${served} tokens that the server states, so it may cut or refuse them. Raise its context length, lower the answer's limit or choose shorter tasks.`,
        }
  }
  if (model.contextTokens === null) {
    return {
      ...base,
      status: model.snapshot.is_model ? 'warn' : 'pass',
      detail: `The longest prompt has about ${longest} tokens; the model's context length is not stated, so it was not checked.`,
    }
  }
  const needed = longest + generation.max_output_tokens
  return needed <= model.contextTokens
    ? { ...base, status: 'pass', detail: `The longest prompt and answer need about ${needed} of ${model.contextTokens} tokens.` }
    : {
        ...base,
        status: 'fail',
        detail: `The longest prompt (about ${longest} tokens) and answer (${generation.max_output_tokens}) pass the model's ${model.contextTokens} tokens. Lower the answer's limit or choose another model.`,
      }
}

/** Tokens below which thoughts often leave no room for an answer. */
const fewestForReasoning = 4_096

function outputLimit(model: SelectedModel, { profile, generation }: FrozenSelection): CompatibilityCheck {
  const base = { check: 'output_limit', profile_id: profile.id } as const
  const limit = model.maxOutputTokens
  if (model.reasons && generation.max_output_tokens < fewestForReasoning && (limit === null || generation.max_output_tokens <= limit))
    return {
      ...base,
      status: 'warn',
      detail: `The model thought before it answered its check, and thinking counts toward the ${generation.max_output_tokens} tokens of an answer: what thinks longer gives no answer. Allow ${fewestForReasoning} or more.`,
    }
  if (limit === null)
    return { ...base, status: 'pass', detail: `Up to ${generation.max_output_tokens} tokens an answer; the model states no limit.` }
  return generation.max_output_tokens <= limit
    ? { ...base, status: 'pass', detail: `Up to ${generation.max_output_tokens} tokens an answer, within the model's ${limit}.` }
    : {
        ...base,
        status: 'fail',
        detail: `Answers may need ${generation.max_output_tokens} tokens and the model gives at most ${limit}. Lower the answer's limit.`,
      }
}
