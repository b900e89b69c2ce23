/** A message that others wrote, with the full stop that it may lack, so that a sentence can follow. */
export function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
