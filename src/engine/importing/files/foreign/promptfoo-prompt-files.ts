import { z } from 'zod'
import { RowError } from '../row.ts'
import type { SentFiles } from './promptfoo-files.ts'
import type { PromptfooPrompt } from './promptfoo-prompts.ts'
import { isConversation } from '../../messages/read-conversation.ts'

const Prompt = z.union([
  z.string(),
  z.looseObject({ raw: z.string(), label: z.string().optional() }),
  // With "id" the text or its file, as with "raw".
  z.looseObject({ id: z.string(), label: z.string().optional() }).transform(({ id, label }) => ({ raw: id, label })),
  // A conversation written out.
  z
    .array(z.unknown())
    .refine(isConversation)
    .transform(messages => ({ raw: JSON.stringify(messages), label: undefined })),
])

/** Prompts that promptfoo fetches from where they are managed. */
const managed = /^(?:langfuse|portkey|helicone):\/\//

/** The prompts of a configuration: a text or a file, a list of them, or their labels by file. */
export function listedPrompts(given: unknown): unknown[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return [given ?? []].flat()
  const labels = z.record(z.string(), z.string()).safeParse(given)
  return labels.success ? Object.entries(labels.data).map(([raw, label]) => ({ raw, label })) : [given]
}

const Configured = z.looseObject({ label: z.string().optional(), config: z.record(z.string(), z.unknown()) })

/** What is said of a prompt that sets how providers answer it; null for any other. */
export function promptSettings(prompt: unknown): string | null {
  const { data } = Configured.safeParse(prompt)
  const names = Object.keys(data?.config ?? {})
  if (names.length === 0) return null
  return `The prompt "${(data?.label ?? 'without a label').slice(0, 60)}" sets ${names.join(', ').slice(0, 200)}, which is not imported: every prompt is asked with the same settings.`
}

/** @throws RowError */
export function promptsOf(prompt: unknown, sent: SentFiles): PromptfooPrompt[] {
  const parsed = Prompt.safeParse(prompt)
  if (!parsed.success)
    throw new RowError(
      `Write the prompt as a text, as the address of a text file, or with one of these as "raw" or "id"; it is ${JSON.stringify(prompt)?.slice(0, 100)}.`,
    )
  const { raw, label } = typeof parsed.data === 'string' ? { raw: parsed.data, label: undefined } : parsed.data
  if (managed.test(raw))
    throw new RowError(`The prompt "${raw.slice(0, 200)}" is kept elsewhere and is not fetched. Write its text in the configuration.`)
  const isFile = raw.startsWith('file://') || /^[\w./*-]+\.(?:txt|md|jsonl?|ya?ml|[cm]?js|ts|py|j2|csv)$/.test(raw)
  const isProgram = /^(?:exec|python|javascript):/.test(raw)
  if (!isFile && !isProgram) return [{ raw, label: label ?? raw.slice(0, 60) }]
  if (isProgram || !/\.(?:txt|md|jsonl?|j2|ya?ml|\*)$/i.test(raw))
    throw new RowError(
      `The prompt "${raw.slice(0, 200)}" is a program or a table. Save its prompts as texts (.txt, .md, .j2) or as messages (.json, .yaml).`,
    )
  return sent.matching(raw).flatMap(({ name }) => {
    const parts = promptTexts(name, sent)
      .map(text => text.trim())
      .filter(text => text !== '')
    return parts.map((part, i) => ({ raw: part, label: parts.length > 1 ? `${label ?? name}, ${i + 1}` : (label ?? name) }))
  })
}

/** Prompts in a file: one of JSON or YAML, a line of JSON Lines each, or texts between lines of dashes. */
function promptTexts(name: string, sent: SentFiles): string[] {
  if (/\.ya?ml$/i.test(name)) return [JSON.stringify(sent.settings(name))]
  const text = sent.text(name)
  if (/\.json$/i.test(name)) return [text]
  return /\.jsonl$/i.test(name) ? text.split('\n') : text.split(/^---\s*$/m)
}
