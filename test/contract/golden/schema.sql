CREATE TABLE accounts ( id text primary key, workspace_id text not null references workspaces, kind text not null check (kind in ('funding', 'budget', 'held', 'spent', 'suspense')), balance_microusd integer not null default 0, unique (workspace_id, kind) ) strict
CREATE TABLE api_keys ( id text primary key, workspace_id text not null references workspaces, name text not null, token_hash text not null unique, prefix text not null, scopes text not null check (json_valid(scopes)), ceiling_microusd integer check (ceiling_microusd >= 0), created_at text not null, expires_at text, revoked_at text, last_used_at text , origin text not null default 'created' check (origin in ('local', 'created')), replaces text references api_keys, meter_id text references api_keys, stops_at text) strict
CREATE INDEX api_keys_meter on api_keys (meter_id) where meter_id is not null
CREATE UNIQUE INDEX api_keys_replaces on api_keys (replaces) where replaces is not null
CREATE INDEX api_keys_workspace on api_keys (workspace_id, id)
CREATE TABLE attempts ( run_no integer not null, position integer not null, number integer not null, status text not null check (status in ('started', 'answered', 'failed', 'unknown')), started_at integer not null, finished_at integer, latency_ms real, error_code text, error_message text, http_status integer, finish_reason text, refused integer not null default 0 check (refused in (0, 1)), input_tokens integer, output_tokens integer, tokens_source text, charged_microusd integer not null default 0, transcript blob, block_no integer, block_offset integer, output_preview text, cached integer not null default 0 check (cached in (0, 1)), billed_microusd integer not null default 0, primary key (run_no, position, number), foreign key (run_no, position) references samples ) strict, without rowid
CREATE TABLE benchmark_versions ( no integer primary key, benchmark_no integer not null references benchmarks, version text not null, source_ref text not null, digest text not null, task_count integer not null, files text not null, shots text not null, state text not null check (state in ('staging', 'ready')), created_at text not null, unique (benchmark_no, version) ) strict
CREATE INDEX benchmark_versions_ref on benchmark_versions (source_ref)
CREATE TABLE benchmarks ( no integer primary key, workspace_id text references workspaces, slug text not null, origin text not null check (origin in ('bundled', 'recipe', 'imported')), status text not null check (status in ('candidate', 'active', 'quarantined', 'retired')), title text not null, runner text not null, definition text not null check (json_valid(definition)), search text not null, created_at text not null ) strict
CREATE UNIQUE INDEX benchmarks_slug on benchmarks (coalesce(workspace_id, ''), slug)
CREATE TABLE cached_answers ( key blob primary key, run_no integer not null references runs, position integer not null, number integer not null ) strict, without rowid
CREATE INDEX cached_answers_run on cached_answers (run_no)
CREATE TABLE comparison_runs ( comparison_id text not null references comparisons, asked_id text not null, primary key (asked_id, comparison_id) ) strict, without rowid
CREATE TABLE comparisons ( id text primary key, workspace_id text not null references workspaces, name text not null, summary text not null check (json_valid(summary)), record text not null check (json_valid(record)), tasks blob not null, digest text not null, search text not null, created_at text not null ) strict
CREATE TRIGGER comparisons_fixed before update on comparisons begin select raise(abort, 'comparisons are immutable'); end
CREATE INDEX comparisons_workspace on comparisons (workspace_id, id)
CREATE TABLE connections ( id text primary key, workspace_id text not null references workspaces, kind text not null check (kind in ('openai_compatible', 'agent_to_agent')), name text not null, base_url text not null, model text not null, streaming integer not null check (streaming in (0, 1)), limits text not null, rates text, secret blob, secret_origin text, has_api_key integer not null check (has_api_key in (0, 1)), header_names text not null, status text not null check (status in ('unchecked', 'ready', 'failing', 'disabled')), last_check text, created_at text not null, updated_at text not null ) strict
CREATE INDEX connections_workspace on connections (workspace_id, id)
CREATE TABLE evaluations ( id text primary key, workspace_id text not null references workspaces, run_id text not null unique references runs (id), suite_version_id text references suite_versions, selections blob not null, operation_key text, body_digest text not null, created_at text not null ) strict
CREATE UNIQUE INDEX evaluations_operation on evaluations (workspace_id, operation_key) where operation_key is not null
CREATE INDEX evaluations_suite on evaluations (suite_version_id) where suite_version_id is not null
CREATE INDEX evaluations_workspace on evaluations (workspace_id, id)
CREATE TABLE feedback ( id text primary key, workspace_id text not null references workspaces, principal_id text not null, status text not null check (status in ('received', 'triaged', 'accepted', 'pr_open', 'shipped', 'declined')), kind text not null, severity text not null, summary text not null, details text, attempted text check (json_valid(attempted)), expected text, actual text, agent text check (json_valid(agent)), client text check (json_valid(client)), contact_ok integer not null check (contact_ok in (0, 1)), fingerprint text not null, duplicate_of text references feedback, pr_url text, resolution_note text, created_at text not null, updated_at text not null ) strict
CREATE INDEX feedback_like on feedback (workspace_id, fingerprint, created_at)
CREATE INDEX feedback_recent on feedback (workspace_id, created_at)
CREATE INDEX feedback_workspace on feedback (workspace_id, id)
CREATE TABLE idempotency ( principal_id text not null, operation text not null, key text not null, body_digest text not null, status integer, body text, created_at text not null, primary key (principal_id, operation, key) ) strict, without rowid
CREATE INDEX idempotency_age on idempotency (created_at)
CREATE TABLE imports ( id text primary key, workspace_id text not null references workspaces, status text not null check (status in ('validating', 'previewed', 'imported', 'failed')), record text not null check (json_valid(record)), created_at text not null ) strict
CREATE TABLE members ( workspace_id text not null references workspaces, person_id text not null references people, role text not null check (role in ('owner', 'admin', 'member')), created_at text not null, primary key (workspace_id, person_id) ) strict, without rowid
CREATE INDEX members_person on members (person_id)
CREATE TABLE pairing_codes ( code_hash text primary key, person_id text not null references people, created_at text not null, expires_at text not null, used_at text ) strict
CREATE TABLE people (id text primary key, name text not null, created_at text not null) strict
CREATE TABLE profiles ( id text not null, version_no integer not null references benchmark_versions on delete cascade, position integer not null, definition text not null check (json_valid(definition)), prompt_digest text not null, primary key (version_no, position) ) strict
CREATE INDEX profiles_id on profiles (id)
CREATE TABLE purchases ( id text primary key, workspace_id text not null references workspaces, status text not null check (status in ('open', 'paid', 'refunded', 'disputed', 'expired', 'cancelled')), amount_microusd integer not null check (amount_microusd > 0), returned_microusd integer not null default 0 check (returned_microusd between 0 and amount_microusd), note text not null, created_at text not null, expires_at text not null, paid_at text, closed_at text, receipt_no integer ) strict
CREATE INDEX purchases_open on purchases (expires_at) where status = 'open'
CREATE UNIQUE INDEX purchases_receipt on purchases (workspace_id, receipt_no) where receipt_no is not null
CREATE INDEX purchases_workspace on purchases (workspace_id, id)
CREATE TABLE quotes ( id text primary key, workspace_id text not null references workspaces, created_at text not null, expires_at text not null, record text not null check (json_valid(record)), task_numbers blob not null ) strict
CREATE TABLE regrades ( run_no integer primary key references runs, version integer not null, plan text not null check (json_valid(plan)), begun_at text not null ) strict
CREATE TABLE results ( run_no integer not null references runs, version integer not null, created_at text not null, record text not null check (json_valid(record)), primary key (run_no, version) ) strict, without rowid
CREATE TRIGGER results_fixed before update on results begin select raise(abort, 'results are immutable'); end
CREATE TABLE run_counts ( run_no integer not null references runs, status text not null, n integer not null check (n >= 0), primary key (run_no, status) ) strict, without rowid
CREATE TABLE runs ( no integer primary key, id text not null unique, workspace_id text not null references workspaces, quote_id text not null references quotes, operation_key text, principal_id text not null, name text not null, status text not null check (status in ('queued', 'running', 'cancelling', 'complete', 'partial', 'failed', 'cancelled')), accounting_state text not null check (accounting_state in ('none', 'held', 'metering', 'settled')), stop_code text, stop_message text, frozen integer not null, retries integer not null default 0, unknown_calls integer not null default 0, max_charge_microusd integer not null check (max_charge_microusd >= 0), held_microusd integer not null default 0 check (held_microusd >= 0), charged_microusd integer not null default 0 check (charged_microusd >= 0), result_version integer, dictionary blob, search text not null, created_at text not null, started_at text, finished_at text , part_of integer references runs, part_asks text check (part_asks in ('failed', 'chosen')), merged_version integer, concurrency integer check (concurrency >= 1), running_ms integer not null default 0, cached integer not null default 0, billed_microusd integer not null default 0 check (billed_microusd >= 0), max_billed_microusd integer check (max_billed_microusd >= 0), archived_at text, deleted_at text, regraded_profiles text check (json_valid(regraded_profiles))) strict
CREATE INDEX runs_deleted on runs (deleted_at) where deleted_at is not null
CREATE INDEX runs_open on runs (status) where status in ('queued', 'running', 'cancelling')
CREATE UNIQUE INDEX runs_operation on runs (quote_id, operation_key) where operation_key is not null
CREATE INDEX runs_parts on runs (part_of) where part_of is not null
CREATE INDEX runs_principal on runs (principal_id)
CREATE INDEX runs_workspace on runs (workspace_id, id)
CREATE TABLE samples ( run_no integer not null references runs, position integer not null, profile_no integer not null, task_no integer not null, epoch integer not null, status text not null check (status in ('pending', 'calling', 'answered', 'scored', 'failed', 'excluded', 'missing', 'cancelled')), fence integer not null default 0, attempts integer not null default 0, passed integer check (passed in (0, 1)), value real, error_code text, error_message text, latency_ms real, input_tokens integer, output_tokens integer, finished_at integer, called_at integer, cached integer not null default 0 check (cached in (0, 1)), source_no integer, primary key (run_no, position) ) strict, without rowid
CREATE INDEX samples_failed on samples (run_no, error_code) where status = 'failed'
CREATE INDEX samples_task on samples (task_no, value) where value is not null
CREATE INDEX samples_unscored on samples (run_no, status, position) where status in ('failed', 'excluded', 'missing', 'cancelled')
CREATE TABLE scores ( run_no integer not null, position integer not null, metric_no integer not null, version integer not null, value real, class text not null, answer text, answer_start integer, answer_end integer, explanation text not null, primary key (run_no, position, metric_no, version), foreign key (run_no, position) references samples ) strict, without rowid
CREATE TABLE sessions ( id text primary key, person_id text not null references people, token_hash text not null unique, kind text not null check (kind in ('host', 'browser')), created_at text not null, expires_at text not null, ended_at text ) strict
CREATE INDEX sessions_person on sessions (person_id)
CREATE TABLE settings (name text primary key, value text not null) strict
CREATE TABLE suite_versions ( id text primary key, workspace_id text references workspaces, suite_id text not null, version integer not null check (version >= 1), previous_version_id text references suite_versions, name text not null, visibility text not null check (visibility in ('workspace', 'public')), summary text not null check (json_valid(summary)), selections blob not null, digest text not null, search text not null, created_at text not null, unique (suite_id, version) ) strict
CREATE TRIGGER suite_versions_fixed before update on suite_versions begin select raise(abort, 'suite versions are immutable'); end
CREATE UNIQUE INDEX suite_versions_previous on suite_versions (previous_version_id) where previous_version_id is not null
CREATE INDEX suite_versions_workspace on suite_versions (workspace_id, id)
CREATE TABLE superseded_samples ( run_no integer not null references runs, position integer not null, last_version integer not null, status text not null, attempts integer not null, error_code text, error_message text, latency_ms real, input_tokens integer, output_tokens integer, finished_at integer, cached integer not null, source_no integer, primary key (run_no, position, last_version) ) strict, without rowid
CREATE VIRTUAL TABLE task_search using fts5 (preview, capabilities, content = 'tasks', content_rowid = 'no', tokenize = 'porter unicode61 remove_diacritics 2')
CREATE TABLE 'task_search_config'(k PRIMARY KEY, v) WITHOUT ROWID
CREATE TABLE 'task_search_data'(id INTEGER PRIMARY KEY, block BLOB)
CREATE TABLE 'task_search_docsize'(id INTEGER PRIMARY KEY, sz BLOB)
CREATE TABLE 'task_search_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID
CREATE VIRTUAL TABLE task_terms using fts5vocab (task_search, row)
CREATE TABLE tasks ( no integer primary key, version_no integer not null references benchmark_versions on delete cascade, position integer not null, task_id text not null, split text not null check (split in ('test', 'canonical')), preview text not null, input_characters integer not null, choices integer, capabilities text not null, depends_on text not null, facets text not null, content blob not null, unique (version_no, task_id) ) strict
CREATE TRIGGER tasks_indexed after insert on tasks begin insert into task_search (rowid, preview, capabilities) values (new.no, new.preview, new.capabilities); end
CREATE UNIQUE INDEX tasks_position on tasks (version_no, position)
CREATE TRIGGER tasks_unindexed after delete on tasks begin insert into task_search (task_search, rowid, preview, capabilities) values ('delete', old.no, old.preview, old.capabilities); end
CREATE TABLE transcript_blocks (no integer primary key, run_no integer not null references runs, content blob not null) strict
CREATE INDEX transcript_blocks_run on transcript_blocks (run_no)
CREATE TABLE "transfers" ( no integer primary key, id text not null unique, workspace_id text not null references workspaces, from_account text not null references accounts, to_account text not null references accounts check (to_account <> from_account), amount_microusd integer not null check (amount_microusd > 0), kind text not null check (kind in ('allotment', 'hold', 'charge', 'release', 'refund', 'dispute')), run_id text, purchase_id text references purchases, created_at text not null ) strict
CREATE TRIGGER transfers_fixed before update on transfers begin select raise(abort, 'transfers are append-only'); end
CREATE TRIGGER transfers_kept before delete on transfers begin select raise(abort, 'transfers are append-only'); end
CREATE TRIGGER transfers_post after insert on transfers begin update accounts set balance_microusd = balance_microusd - new.amount_microusd where id = new.from_account; update accounts set balance_microusd = balance_microusd + new.amount_microusd where id = new.to_account; end
CREATE INDEX transfers_run on transfers (run_id) where run_id is not null
CREATE INDEX transfers_workspace on transfers (workspace_id, no)
CREATE TABLE transitions ( no integer primary key, resource text not null, resource_id text not null, event text not null, from_state text not null, to_state text not null, at text not null, note text ) strict
CREATE INDEX transitions_resource on transitions (resource_id)
CREATE TABLE workspaces (id text primary key, name text not null, created_at text not null) strict
