import { packageOf } from '../../sandbox/python-modules.ts'
import type { Language } from '../../sandbox/tier.ts'
import type { Score } from '../scorer.ts'
import { judged, moduleCount, newerCount, unscored } from '../verdict.ts'

/** How a run of model-written code ended, whatever ran it. */
export type CodeOutcome =
  | { readonly kind: 'passed'; readonly detail: string }
  | { readonly kind: 'failed'; readonly detail: string }
  /** Over the time that its reference needs on this machine, four times. */
  | { readonly kind: 'timeout'; readonly detail: string }
  /** Not even the reference ends here in the longest time allowed, so nothing can be said of the candidate. */
  | { readonly kind: 'too_slow'; readonly detail: string }
  /** The code uses a module that the sandbox lacks: nothing can be said of it here. */
  | { readonly kind: 'missing_module'; readonly module: string; readonly detail: string }
  /** The same of a version of Python, such as "3.12": its grammar, or what it added to the library. */
  | { readonly kind: 'newer_python'; readonly version: string; readonly detail: string }
  /** The task's own reference or tests do not run: nothing can be said of the candidate. */
  | { readonly kind: 'no_verdict'; readonly detail: string }

/** The score of an outcome. @param code what was run, for the reader; null when the reply holds none */
export function scoreOf(outcome: CodeOutcome, output: string, code: string | null): Score {
  const at = code === null ? -1 : output.indexOf(code)
  const span = code === null || code === '' || at < 0 ? null : { start: at, end: at + code.length }
  switch (outcome.kind) {
    case 'passed':
    case 'failed':
    case 'timeout':
      return judged(outcome.kind === 'passed', { answer: code, span, explanation: outcome.detail, label: outcome.kind })
    case 'too_slow':
      return { value: null, class: 'too_slow', answer: code, answerSpan: span, explanation: outcome.detail }
    case 'missing_module':
      return { ...unscored(outcome.detail, code), label: outcome.kind, counts: { [`${moduleCount}${outcome.module}`]: 1 } }
    case 'newer_python':
      return { ...unscored(outcome.detail, code), label: outcome.kind, counts: { [`${newerCount}${outcome.version}`]: 1 } }
    case 'no_verdict':
      return unscored(outcome.detail, code)
  }
}

/** The outcome of code that used a module which is not there, or what a newer Python has; the harness names it "Python 3.12". */
export function missingModule(module: string, language: Language = 'python'): CodeOutcome {
  if (language === 'python' && module.startsWith('Python ')) {
    const version = module.slice('Python '.length)
    return {
      kind: 'newer_python',
      version,
      detail: `The code needs Python ${version}, and the sandbox has an older one, so there is no verdict. Install Python ${version} as the system’s "python3", and regrade. Python in WebAssembly is the version that came with Assay.`,
    }
  }
  return {
    kind: 'missing_module',
    module,
    detail: `The code uses the module "${module}", which the sandbox lacks, so there is no verdict. ${language === 'python' ? pythonRemedy(module) : 'JavaScript runs in QuickJS, without packages and without Node’s library: run such code in a remote scorer.'}`,
  }
}

function pythonRemedy(module: string): string {
  const name = packageOf(module)
  const remedy =
    name === null
      ? 'It belongs to Python’s library: install the rest of it by the system’s package manager'
      : `Install ${name} for the system’s Python by the system’s package manager`
  return `${remedy}, and regrade. Python in WebAssembly takes no packages: that needs Linux.`
}
