import type { TraceDetail } from '../../contract/traces/traces.schemas.ts'

/** A value of a trace that other traces have in the same place. */
export interface ValuePath {
  /** RFC 9535 JSONPath into the trace. */
  readonly path: string
  /** What the value is, in words. */
  readonly title: string
  /** The value in this trace. */
  readonly example: string
}

/** Values of one trace that are offered. */
const mostPaths = 200

/** The outputs, attributes and scores of a trace that a person can point at as the expected answer. Spans of one name are told by place. */
export function valuePaths({ spans, annotations }: Pick<TraceDetail, 'spans' | 'annotations'>): ValuePath[] {
  const counts = Map.groupBy(spans, ({ name }) => name)
  const ofSpans = spans.flatMap(({ name, output_messages: messages = [], attributes }, i): ValuePath[] => {
    const isOnly = counts.get(name)?.length === 1
    const span = isOnly ? `$.spans[?@.name == ${JSON.stringify(name)}]` : `$.spans[${i}]`
    const title = isOnly ? name : `${name} (span ${i + 1})`
    const last = messages.at(-1)
    return [
      ...(last && last.content !== ''
        ? [{ path: `${span}.output_messages[-1].content`, title: `Output of ${title}`, example: last.content }]
        : []),
      ...Object.entries(attributes).flatMap(([key, value]) =>
        isShort(value) ? [{ path: `${span}.attributes[${JSON.stringify(key)}]`, title: `${key} of ${title}`, example: String(value) }] : [],
      ),
    ]
  })
  const ofScores = annotations.flatMap(({ name, value, comment }): ValuePath[] => [
    ...(value === null
      ? []
      : [{ path: `$.annotations[?@.name == ${JSON.stringify(name)}].value`, title: `Score ${name}`, example: String(value) }]),
    ...(comment === null
      ? []
      : [{ path: `$.annotations[?@.name == ${JSON.stringify(name)}].comment`, title: `Comment on ${name}`, example: comment }]),
  ])
  const seen = new Set<string>()
  return [...ofScores, ...ofSpans].filter(({ path }) => !seen.has(path) && seen.add(path)).slice(0, mostPaths)
}

/** Longer attributes are whole documents, and objects no answers. */
function isShort(value: unknown): boolean {
  return (typeof value === 'string' && value !== '' && value.length <= 2000) || typeof value === 'number' || typeof value === 'boolean'
}
