/** What each group of operations is about, for the interface's description. */
export const tags: Readonly<Record<string, string>> = {
  Service: 'Health, identity and descriptions of the interface.',
  Sessions: 'Pairing a browser with the service, and the sessions of people. Worked example: `/docs/examples/keys`.',
  Workspace: 'Workspaces and their members. Worked example: `/docs/examples/keys`.',
  Installation: 'Settings of the whole installation, for its owner.',
  Keys: 'API keys with scopes, expiry and ceilings. Worked example: `/docs/examples/keys`.',
  Billing: 'Wallet, ledger and purchases. Worked example: `/docs/examples/billing`.',
  Feedback: 'Reports about Assay itself. How to write one: `/docs/feedback`.',
  Backups: 'Backups of the database. Worked example: `/docs/examples/backups`.',
  'Network log': 'The hosts that the service has called.',
  Catalog: 'Benchmarks, tasks and models, and imports of data. Worked example: `/docs/examples/imports`.',
  Media: 'Images, recordings and documents that tasks show.',
  Webhooks: 'Signed requests that tell other programs what has happened in a workspace.',
  Worlds: 'Environments of your own: tools, state, users and tasks as data.',
  Connections: 'Model servers of your own. Worked example: `/docs/examples/connections`.',
  'Local models': 'GGUF files on this machine and the runtime that loads them.',
  Quotes: 'Compatibility, cost and detectable difference before a run. Worked example: `/docs/agents`.',
  Runs: 'Runs, samples, results, exports and imported answers. Worked examples: `/docs/agents`, `/docs/examples/answers`.',
  Schedules: 'Run groups that begin by a calendar, within a monthly limit.',
  'Run groups': 'Runs of several models on the same tasks, quoted, started and compared together.',
  Annotations: 'Notes, tags and bookmarks of people on runs and samples.',
  Items: 'Folders and archiving of what a workspace has.',
  Workers: 'Other machines that grade code and call models for this service.',
  Suites: 'Immutable selections of exact tasks. Worked example: `/docs/examples/suites`.',
  Evaluations: 'Jobs that run a selection of exact tasks. Worked example: `/docs/examples/suites`.',
  'Workload evaluators':
    'Scorers and judges of your own, and their calibration. Worked examples: `/docs/examples/evaluators`, `/docs/examples/calibrations`, `/docs/examples/judges`.',
  'Remote scorers': 'Scorers behind an address of your own. Worked example: `/docs/examples/remote-scorers`.',
  Recommendations: 'Tasks that fit an objective. Worked example: `/docs/examples/recommendations`.',
  Comparisons: 'Paired differences of ended runs. Worked example: `/docs/agents`.',
  Releases: 'Gates: suites, policies, evidence and decisions. Worked example: `/docs/examples/releases`.',
  Storage: 'Space on disk and checks of the database. Worked example: `/docs/examples/backups`.',
  Retention: 'How long traces, ended jobs and deliveries are kept.',
  Creator: 'Benchmarks that you write: namespaces, packages, reviews. Worked example: `/docs/examples/packages`.',
  Datasets: 'Examples with labels and reviews, and versions of them. Worked example: `/docs/examples/datasets`.',
  Traces: 'Calls that other programs made. Worked examples: `/docs/examples/traces`, `/docs/examples/trace-benchmarks`.',
  Jobs: 'Work that takes longer than a request. Worked example: `/docs/examples/datasets`.',
  Tuning: 'Cheaper or better calls, and monitors of them. Worked examples: `/docs/examples/tuning`, `/docs/examples/monitors`.',
}

/** A tag as `GET /v1/openapi.json?area=` takes it: `Remote scorers` is `remote-scorers`. */
export function areaOf(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-')
}

export const areas = Object.keys(tags).map(areaOf) as [string, ...string[]] // there are tags
