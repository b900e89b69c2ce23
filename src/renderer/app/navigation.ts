import {
  type Icon,
  IconBooks,
  IconBriefcase,
  IconCpu,
  IconDatabase,
  IconGavel,
  IconHelp,
  IconHome,
  IconListCheck,
  IconMessageReport,
  IconPackage,
  IconPlayerPlay,
  IconRocket,
  IconScale,
  IconSettings,
  IconAdjustments,
  IconTimeline,
  IconTrophy,
} from '../ui/pictures/icons.tsx'

export interface Destination {
  readonly to: string
  readonly label: string
  readonly icon: Icon
  /** More words that find it in the command palette. */
  readonly keywords: string
}

/** The left rail, top to bottom. Only pages that exist. */
export const destinations: readonly Destination[] = [
  { to: '/', label: 'Home', icon: IconHome, keywords: 'start overview dashboard' },
  { to: '/catalog', label: 'Catalog', icon: IconBooks, keywords: 'benchmarks tasks profiles datasets' },
  { to: '/models', label: 'Models', icon: IconCpu, keywords: 'routes connections baselines providers endpoints' },
  { to: '/runs', label: 'Runs', icon: IconPlayerPlay, keywords: 'results samples jobs' },
  { to: '/compare', label: 'Compare', icon: IconScale, keywords: 'difference paired significance flips pareto' },
  { to: '/leaderboard', label: 'Leaderboard', icon: IconTrophy, keywords: 'ranking scores models benchmarks matrix table best' },
  { to: '/suites', label: 'Suites', icon: IconListCheck, keywords: 'exact tasks evaluation selection versions recommend' },
  { to: '/datasets', label: 'Datasets', icon: IconDatabase, keywords: 'examples labels annotators review versions agreement' },
  { to: '/evaluators', label: 'Evaluators', icon: IconGavel, keywords: 'judges graders calibration kappa scorers rubric remote' },
  {
    to: '/releases',
    label: 'Releases',
    icon: IconRocket,
    keywords: 'decisions approve ship policy evidence issues coverage record sign',
  },
  { to: '/tuning', label: 'Tuning', icon: IconAdjustments, keywords: 'sessions monitors drift cheaper prompt effort race' },
  { to: '/traces', label: 'Traces', icon: IconTimeline, keywords: 'spans otlp opentelemetry langfuse langsmith braintrust observability' },
  { to: '/creator', label: 'Creator', icon: IconPackage, keywords: 'packages namespaces private benchmark upload publish review' },
  { to: '/feedback', label: 'Feedback', icon: IconMessageReport, keywords: 'reports bugs defects triage issues' },
  { to: '/workspace', label: 'Workspace', icon: IconBriefcase, keywords: 'api keys members sessions wallet billing ledger' },
  { to: '/guide', label: 'Guide', icon: IconHelp, keywords: 'help documentation tutorial how glossary terms' },
  { to: '/settings', label: 'Settings', icon: IconSettings, keywords: 'theme about data folder backups restore sign out' },
]

export interface Command {
  readonly to: string
  readonly label: string
  readonly description: string
}

/** Actions of the command palette beside the pages themselves. */
export const commands: readonly Command[] = [
  { to: '/quotes/new', label: 'New run', description: 'Model, benchmark, sample size: quote and run' },
  { to: '/catalog/environments', label: 'Environments', description: 'Tasks solved with tools, turn after turn' },
  { to: '/environments/new', label: 'New environment', description: 'Tools, state, users and tasks of your own' },
  { to: '/attacks', label: 'Attacks', description: 'What injected instructions do to each model' },
  { to: '/schedules', label: 'Schedules', description: 'The same runs again by a calendar' },
  { to: '/leaderboard/history', label: 'Scores over time', description: 'Every run of a benchmark by model, with changes' },
  { to: '/catalog/import', label: 'Import benchmark data', description: 'From JSONL, JSON or CSV files' },
  { to: '/catalog/import?own=environment', label: 'Import an environment', description: 'From BFCL, promptfoo, conversations or a folder' },
  {
    to: '/models/connections/new',
    label: 'New connection',
    description: 'Register an endpoint: a vendor, a runtime on this machine, or an agent',
  },
  { to: '/runs?bookmarked=true', label: 'Bookmarked runs', description: 'Runs that someone in the workspace bookmarked' },
  { to: '/runs?pinned=true', label: 'Pinned baselines', description: 'Runs that are offered first where runs are compared' },
  { to: '/compare/new', label: 'New comparison', description: 'Is the difference between runs real?' },
  { to: '/suites/new', label: 'New suite', description: 'A fixed selection of exact tasks' },
  { to: '/suites/new?way=objective', label: 'What should I run?', description: 'Exact tasks for what you want to find out' },
  { to: '/datasets?new=yes', label: 'New dataset', description: 'Examples to label, review and freeze' },
  { to: '/suites/evaluations', label: 'Evaluations', description: 'Exact tasks that were run' },
  { to: '/evaluators/new', label: 'New evaluator', description: 'A scorer, a judge, or several together' },
  { to: '/evaluators/drafts/new', label: 'Draft an evaluator', description: 'Candidates from a labeled dataset' },
  { to: '/releases/new', label: 'New release decision', description: 'May a model ship? Rules, a verdict, a signed record' },
  { to: '/releases/evidence', label: 'Import release evidence', description: 'Logs and reports of other tools' },
  { to: '/tuning/new', label: 'New tuning session', description: 'Find a cheaper call that is not worse, or a better one' },
  { to: '/tuning/monitors/new', label: 'New monitor', description: 'Is a call still as good as its baseline?' },
  { to: '/workspace/keys/new', label: 'New API key', description: 'For a program or agent, with scopes and a spending limit' },
  { to: '/workspace/members', label: 'Members', description: 'Members, invitations, roles and sessions' },
  { to: '/workspace/webhooks', label: 'Webhooks', description: 'Signed requests that tell your programs of events' },
  { to: '/workspace/retention', label: 'Retention', description: 'How long traces, ended jobs and deliveries are kept' },
  { to: '/workspace/wallet', label: 'Wallet', description: 'Budget, purchases, ledger, receipts' },
  { to: '/settings/workers', label: 'Workers', description: 'Machines that grade code and call models for this service' },
  { to: '/settings/network', label: 'Network log', description: 'Every server Assay has talked to, and how many bytes' },
  {
    to: '/traces/integrations',
    label: 'Trace integrations',
    description: 'Langfuse, LangSmith, Braintrust: backfills, datasets, experiments',
  },
  { to: '/creator/packages/new', label: 'Upload a package', description: 'A benchmark that you wrote, as a zip' },
  { to: '/creator/profiles', label: 'Private profiles', description: 'Profiles of your own packages, to quote' },
  { to: '/creator/namespaces', label: 'Namespaces', description: 'Names under which packages are published' },
  { to: '/feedback/new', label: 'New report', description: 'Tell what is wrong or missing' },
]
