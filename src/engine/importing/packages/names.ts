import { distance } from 'fastest-levenshtein'

/** Names that no workspace may register beside the providers of bundled benchmarks and recipes. `local` is the provider of imports. */
const ownNames = ['assay', 'admin', 'api', 'eval', 'local', 'public', 'system', 'test']

/** Vendors whose name would read as an endorsement. */
const vendors = [
  'anthropic', 'openai', 'google', 'deepmind', 'meta', 'microsoft', 'mistral', 'cohere', 'xai', 'deepseek', 'qwen', 'alibaba', 'nvidia',
  'amazon', 'apple', 'huggingface', 'eleutherai', 'allenai', 'langfuse', 'langsmith', 'langchain', 'braintrust', 'promptfoo', 'inspect',
] // biome-ignore format: a list of words

/**
 * What two names have in common when only dashes or letters that look alike differ: `0→o`, `1→l`, `i→l`, `5→s`, `rn→m`, `vv→w`.
 * Names with the same skeleton are taken for each other.
 */
export function skeleton(name: string): string {
  return name
    .replaceAll('-', '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll(/[01i5]/g, sign => ({ '0': 'o', '1': 'l', i: 'l', '5': 's' })[sign] ?? sign)
}

/**
 * Why a namespace may not have this name, or null. A name is refused when it is reserved, reads like a reserved one, or is one edit away
 * from a reserved name of five or more letters.
 * @param providers of bundled benchmarks and recipes
 */
export function reservedName(name: string, providers: readonly string[]): string | null {
  const own = skeleton(name)
  for (const reserved of [...ownNames, ...vendors, ...providers]) {
    if (skeleton(reserved) === own) return reserved
    if (reserved.length >= 5 && distance(reserved, name) <= 1) return reserved
  }
  return null
}
