interface Task {
  readonly targets: readonly string[]
  readonly choices: readonly string[] | null
}

/** The choice that the first target names by its letter; null where it names none, or is a choice's text itself. */
export function targetChoice({ targets: [target = ''], choices }: Task): string | null {
  if (choices === null || choices.includes(target) || !/^[A-Z]$/.test(target)) return null
  return choices[target.charCodeAt(0) - 'A'.charCodeAt(0)] ?? null
}

/** A target as people read it: "B: Finn" where it names a choice by its letter. */
export function targetText(target: string, choice: string | null): string {
  return choice === null ? target : `${target}: ${choice}`
}
