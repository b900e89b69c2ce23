/**
 * LiveCodeBench's extraction of code from a reply: the text between the last two lines that contain a fence. With fewer than two
 * such lines there is none, so text after the code that mentions a fence loses it.
 */
export function extractCode(reply: string): string {
  const lines = reply.split('\n')
  const fences = lines.flatMap((line, i) => (line.includes('```') ? [i] : []))
  const [from, to] = fences.slice(-2)
  return from === undefined || to === undefined ? '' : lines.slice(from + 1, to).join('\n')
}

/** The last line that begins with `assert`, not indented; else what the first fence of Python holds, or else the first of any; else nothing. */
export function extractTestOutput(reply: string): string {
  const lines = reply.split('\n')
  const assertion = lines.findLast(line => line.startsWith('assert'))
  if (assertion !== undefined) return assertion
  const python = lines.findIndex(line => line.includes('```python') || line.includes('```Python'))
  const [from, to] = lines.flatMap((line, i) => (i >= python && line.includes('```') ? [i] : []))
  return from === undefined || to === undefined ? '' : lines.slice(from + 1, to).join('\n')
}

/**
 * The answer of the execution scenario: with a chain of thought what follows `[ANSWER]`; of an assertion its right side; up to `[/ANSWER]`
 * or the end of the line.
 */
export function extractExecutionAnswer(reply: string, hasThoughts: boolean): string {
  let text = hasThoughts ? (reply.split('[ANSWER]')[1] ?? reply).trim() : reply
  if (text.includes('==')) text = (text.split('==')[1] ?? '').trim()
  return (text.split(text.includes('[/ANSWER]') ? '[/ANSWER]' : '\n')[0] ?? '').trim()
}
