interface PromptChanges {
  readonly system_prompt?: string
  readonly prompt_template?: string
  readonly stop?: readonly string[]
}

/** What a run changes of how its profiles ask, each with its name. */
export function changedPrompt({
  system_prompt: system,
  prompt_template: template,
  stop,
}: PromptChanges): readonly (readonly [name: string, text: string])[] {
  return [
    ...(system === undefined ? [] : [['System prompt, changed', system === '' ? 'none is sent' : system] as const]),
    ...(template === undefined ? [] : [['Prompt template, changed', template] as const]),
    ...(stop === undefined
      ? []
      : [['Stop sequences, changed', stop.length === 0 ? 'none' : stop.map(text => JSON.stringify(text)).join(', ')] as const]),
  ]
}
