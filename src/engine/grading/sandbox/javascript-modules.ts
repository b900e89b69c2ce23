import { builtinModules } from 'node:module'

/** Packages that answers import; QuickJS has none of them, and nothing of Node's library. */
const packages = new Set(
  (
    'lodash lodash-es underscore ramda mathjs bignumber.js big.js decimal.js bn.js fraction.js numeric ndarray moment dayjs date-fns luxon immutable ' +
    'rxjs axios node-fetch uuid nanoid async bluebird chai express react cheerio jsdom ajv zod yup joi crypto-js collections js-sdsl heap-js tinyqueue ' +
    'priorityqueuejs fastpriorityqueue @datastructures-js/priority-queue @datastructures-js/queue @datastructures-js/heap denque core-js tslib ' +
    'typescript chalk csv-parse js-yaml'
  ).split(' '),
)
const named = /(?:\b(?:require|import)\s*\(\s*|\bfrom\s*|\bimport\s*)(["'])((?:@[\w.-]+\/)?[\w.:-]+)(?:\/[\w./-]*)?\1/g
const undefinedName = /^'?([A-Za-z]\w*)'? is not defined$/

/**
 * The missing module or part of Node because of which code raised an error; null for any other reason, so for a name that is not a module
 * anywhere, and for one that the code does not import.
 */
export function lackedByJavaScript(
  source: string,
  raised: { readonly type: string; readonly message: string; readonly module?: string | undefined },
): string | null {
  const { type, message, module } = raised
  if (module !== undefined) return modulesIn(source).find(name => name === rootOf(module)) ?? null
  const [, name] = (type === 'ReferenceError' && undefinedName.exec(message)) || []
  // What Node has by that name, QuickJS lacks.
  return name !== undefined && Object.hasOwn(globalThis, name) ? name : null
}

function modulesIn(source: string): string[] {
  return [...source.matchAll(named)]
    .map(match => rootOf(match[2] ?? ''))
    .filter(name => packages.has(name) || builtinModules.includes(name))
}

function rootOf(module: string): string {
  const parts = module.replace(/^node:/, '').split('/')
  return parts.slice(0, module.startsWith('@') ? 2 : 1).join('/')
}
