/** The text of the choice that a target names by its letter; null where it names none, or is a choice's text itself. */
export function choiceOf(target: string, choices: readonly string[] | null): string | null {
  if (choices === null || choices.includes(target) || !/^[A-Z]$/.test(target)) return null
  return choices[target.charCodeAt(0) - 'A'.charCodeAt(0)] ?? null
}
