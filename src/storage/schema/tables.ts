import type { RunMarksTable, RunNotesTable } from './annotations.ts'
import type { AnswerImportsTable, LogScoresTable } from './answers.ts'
import type { BenchmarksTable, BenchmarkVersionsTable, ImportsTable, ProfilesTable, TasksTable } from './catalog.ts'
import type { ComparisonRunsTable, ComparisonsTable } from './comparisons.ts'
import type { CreatorNamespacesTable, CreatorPackagesTable, CreatorReviewsTable } from './creator.ts'
import type { ConnectionsTable, FoundRuntimesTable, LocalRouteRatesTable } from './connections.ts'
import type {
  DatasetExamplesTable,
  DatasetFacetsTable,
  DatasetImportsTable,
  DatasetLabelsTable,
  DatasetRevisionsTable,
  DatasetScansTable,
  DatasetsTable,
  DatasetVerificationsTable,
  DatasetVersionExamplesTable,
  DatasetVersionsTable,
} from './datasets.ts'
import type { BatchesTable, BatchItemsTable } from './batches.ts'
import type { WorldDraftsTable, WorldVersionsTable } from './worlds.ts'
import type { ScheduleOccurrencesTable, SchedulesTable } from './schedules.ts'
import type { WebhookBudgetsTable, WebhookDeliveriesTable, WebhooksTable } from './webhooks.ts'
import type { EvaluationsTable } from './evaluations.ts'
import type {
  CalibrationItemsTable,
  CalibrationsTable,
  DatasetBenchmarksTable,
  EvaluatorDraftsTable,
  EvaluatorVersionsTable,
  JudgeBudgetsTable,
  JudgeCallsTable,
  RegradeQuotesTable,
  RemoteCallsTable,
  RemoteScorersTable,
} from './evaluators.ts'
import type { FeedbackTable } from './feedback.ts'
import type { EvaluatorUsesTable, ItemMarksTable } from './items.ts'
import type { JobsTable } from './jobs.ts'
import type { CommitsTable, IdempotencyTable, SettingsTable, TransitionsTable } from './kernel.ts'
import type { AccountsTable, PurchasesTable, TransfersTable } from './ledger.ts'
import type { LocalModelFilesTable, LocalModelFoldersTable, LocalModelSettingsTable, LocalModelSpeedsTable } from './local-models.ts'
import type { MediaReferencesTable, MediaTable, ResizedMediaTable, TraceMediaTable } from './media.ts'
import type { NetworkHostsTable } from './network.ts'
import type { ReleaseAnalysesTable, ReleaseAnalysisTasksTable, ReleaseEvidenceTable } from './release-evidence.ts'
import type { ReleaseCalibrationsTable, ReleaseIssueEventsTable, ReleaseIssuesTable, ReleaseIssueTasksTable } from './release-issues.ts'
import type {
  ReleaseDecisionsTable,
  ReleaseEvaluationsTable,
  ReleaseKeysTable,
  ReleaseLabelsTable,
  ReleasePoliciesTable,
  ReleaseRecordsTable,
  ReleaseSuitesTable,
} from './releases.ts'
import type { RetentionClockTable, RetentionEventsTable, RetentionRulesTable } from './retention.ts'
import type { RunGroupRunsTable, RunGroupsTable } from './run-groups.ts'
import type { PromptTokensTable, QuotesTable } from './quotes.ts'
import type {
  AttemptsTable,
  CachedAnswersTable,
  EndpointOutagesTable,
  RegradesTable,
  ResultsTable,
  RunCountsTable,
  RunProfilesTable,
  RunScoresTable,
  RunsTable,
  SamplesTable,
  ScoresTable,
  SupersededSamplesTable,
  TranscriptBlocksTable,
} from './runs.ts'
import type { SuiteVersionsTable } from './suites.ts'
import type {
  ApiKeysTable,
  CarriedSpendingTable,
  InstallationTable,
  MembersTable,
  PairingCodesTable,
  PeopleTable,
  SessionsTable,
  WorkspacesTable,
} from './workspace.ts'
import type {
  TuneArmsTable,
  TuneCasesTable,
  TuneDraftsTable,
  TuneGroupsTable,
  TuneQuotesTable,
  TuneSearchesTable,
  TuneSessionsTable,
} from './tuning.ts'
import type { TuneMonitorsTable, TuneOccurrencesTable, TuneOutputsTable } from './tune-monitors.ts'
import type {
  SpanRevisionsTable,
  SpansTable,
  TraceAnnotationsTable,
  TraceIntegrationsTable,
  TracesTable,
  WorkloadSourceItemsTable,
  WorkloadSourcesTable,
} from './traces.ts'
import type { WorkerKeysTable, WorkersTable } from './workers.ts'

export interface Tables {
  settings: SettingsTable
  commits: CommitsTable
  idempotency: IdempotencyTable
  transitions: TransitionsTable
  workspaces: WorkspacesTable
  people: PeopleTable
  members: MembersTable
  installation: InstallationTable
  sessions: SessionsTable
  pairing_codes: PairingCodesTable
  api_keys: ApiKeysTable
  benchmarks: BenchmarksTable
  benchmark_versions: BenchmarkVersionsTable
  profiles: ProfilesTable
  tasks: TasksTable
  imports: ImportsTable
  connections: ConnectionsTable
  found_runtimes: FoundRuntimesTable
  local_route_rates: LocalRouteRatesTable
  local_model_files: LocalModelFilesTable
  local_model_folders: LocalModelFoldersTable
  local_model_settings: LocalModelSettingsTable
  local_model_speeds: LocalModelSpeedsTable
  quotes: QuotesTable
  prompt_tokens: PromptTokensTable
  runs: RunsTable
  run_counts: RunCountsTable
  run_profiles: RunProfilesTable
  run_scores: RunScoresTable
  samples: SamplesTable
  attempts: AttemptsTable
  scores: ScoresTable
  results: ResultsTable
  superseded_samples: SupersededSamplesTable
  transcript_blocks: TranscriptBlocksTable
  cached_answers: CachedAnswersTable
  regrades: RegradesTable
  endpoint_outages: EndpointOutagesTable
  run_groups: RunGroupsTable
  run_group_runs: RunGroupRunsTable
  item_marks: ItemMarksTable
  evaluator_uses: EvaluatorUsesTable
  carried_spending: CarriedSpendingTable
  retention_rules: RetentionRulesTable
  retention_events: RetentionEventsTable
  retention_clock: RetentionClockTable
  run_marks: RunMarksTable
  run_notes: RunNotesTable
  accounts: AccountsTable
  transfers: TransfersTable
  purchases: PurchasesTable
  feedback: FeedbackTable
  comparisons: ComparisonsTable
  comparison_runs: ComparisonRunsTable
  release_suites: ReleaseSuitesTable
  release_policies: ReleasePoliciesTable
  release_evidence: ReleaseEvidenceTable
  release_analyses: ReleaseAnalysesTable
  release_analysis_tasks: ReleaseAnalysisTasksTable
  release_calibrations: ReleaseCalibrationsTable
  release_issues: ReleaseIssuesTable
  release_issue_tasks: ReleaseIssueTasksTable
  release_issue_events: ReleaseIssueEventsTable
  release_decisions: ReleaseDecisionsTable
  release_evaluations: ReleaseEvaluationsTable
  release_labels: ReleaseLabelsTable
  release_records: ReleaseRecordsTable
  release_keys: ReleaseKeysTable
  suite_versions: SuiteVersionsTable
  evaluations: EvaluationsTable
  evaluator_versions: EvaluatorVersionsTable
  judge_budgets: JudgeBudgetsTable
  judge_calls: JudgeCallsTable
  remote_scorers: RemoteScorersTable
  remote_calls: RemoteCallsTable
  calibrations: CalibrationsTable
  calibration_items: CalibrationItemsTable
  evaluator_drafts: EvaluatorDraftsTable
  regrade_quotes: RegradeQuotesTable
  dataset_benchmarks: DatasetBenchmarksTable
  world_drafts: WorldDraftsTable
  world_versions: WorldVersionsTable
  batches: BatchesTable
  batch_items: BatchItemsTable
  schedules: SchedulesTable
  schedule_occurrences: ScheduleOccurrencesTable
  webhooks: WebhooksTable
  webhook_deliveries: WebhookDeliveriesTable
  webhook_budgets: WebhookBudgetsTable
  network_hosts: NetworkHostsTable
  creator_namespaces: CreatorNamespacesTable
  creator_packages: CreatorPackagesTable
  creator_reviews: CreatorReviewsTable
  trace_integrations: TraceIntegrationsTable
  traces: TracesTable
  spans: SpansTable
  span_revisions: SpanRevisionsTable
  trace_annotations: TraceAnnotationsTable
  workload_sources: WorkloadSourcesTable
  workload_source_items: WorkloadSourceItemsTable
  datasets: DatasetsTable
  dataset_examples: DatasetExamplesTable
  dataset_revisions: DatasetRevisionsTable
  dataset_labels: DatasetLabelsTable
  dataset_verifications: DatasetVerificationsTable
  dataset_versions: DatasetVersionsTable
  dataset_version_examples: DatasetVersionExamplesTable
  dataset_imports: DatasetImportsTable
  dataset_scans: DatasetScansTable
  dataset_facets: DatasetFacetsTable
  jobs: JobsTable
  answer_imports: AnswerImportsTable
  log_scores: LogScoresTable
  tune_sessions: TuneSessionsTable
  tune_drafts: TuneDraftsTable
  tune_cases: TuneCasesTable
  tune_quotes: TuneQuotesTable
  tune_groups: TuneGroupsTable
  tune_arms: TuneArmsTable
  tune_searches: TuneSearchesTable
  tune_monitors: TuneMonitorsTable
  tune_occurrences: TuneOccurrencesTable
  tune_outputs: TuneOutputsTable
  media: MediaTable
  media_references: MediaReferencesTable
  resized_media: ResizedMediaTable
  trace_media: TraceMediaTable
  workers: WorkersTable
  worker_keys: WorkerKeysTable
}
