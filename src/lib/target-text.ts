/** The text of the choice that a target names by its letter; null where it names none, or is a choice's text itself. */
function choiceOf(target: string, choices: readonly string[] | null): string | null {
  if (choices === null || choices.includes(target) || !/^[A-Z]$/.test(target)) return null
  return choices[target.charCodeAt(0) - 'A'.charCodeAt(0)] ?? null
}

interface Task {
  readonly targets: readonly string[]
  readonly choices: readonly string[] | null
}

/** The first target as people read it, "B: Finn" where it names a choice by its letter; null without targets. */
export function targetText({ targets: [target], choices }: Task): string | null {
  if (target === undefined) return null
  const choice = choiceOf(target, choices)
  return choice === null ? target : `${target}: ${choice}`
}
