/** Release decisions, the evaluations that they need, people's labels, records in a chain per workspace, and signing keys. */
export const releaseDecisions = `
create table release_decisions (
  no integer primary key, id text not null unique, workspace_id text not null references workspaces, name text not null,
  status text not null check (status in ('draft', 'collecting', 'analyzing', 'awaiting_human', 'approved', 'rejected', 'inconclusive', 'cancelled')),
  suite_version_id text not null references release_suites, policy_id text not null references release_policies,
  plan text not null check (json_valid(plan)), plan_digest text not null, lineage text not null, attempt integer, alpha real,
  look integer not null check (look >= 1), outcome text check (outcome is null or json_valid(outcome)), suspects text check (suspects is null or json_valid(suspects)),
  notes text not null check (json_valid(notes)), job_id text, by_kind text not null check (by_kind in ('person', 'key')), by_id text not null, by_name text not null,
  created_at text not null, closed_at text, unique (lineage, attempt)
) strict;
create index release_decisions_workspace on release_decisions (workspace_id, no);

create table release_evaluations (
  no integer primary key, decision_no integer not null references release_decisions, purpose text not null check (purpose in ('main', 'confirm')),
  side text not null check (side in ('candidate', 'baseline')), group_key text not null, look integer not null check (look >= 1),
  adopted integer not null check (adopted in (0, 1)), seen_before_plan integer not null check (seen_before_plan in (0, 1)), max_charge_microusd text not null,
  evaluation_id text, result_version integer, samples_digest text, unique (decision_no, purpose, side, group_key, look)
) strict;

create table release_labels (
  no integer primary key, id text not null unique, workspace_id text not null references workspaces, target_kind text not null check (target_kind in ('sample', 'example', 'decision')),
  owner_id text not null, target_id text not null, revision integer, verdict text not null, rationale text not null,
  is_override integer not null check (is_override in (0, 1)), person_id text not null, person_name text not null, created_at text not null
) strict;
create index release_labels_target on release_labels (workspace_id, target_kind, owner_id, target_id, no);
create trigger release_labels_fixed before update on release_labels begin select raise(abort, 'labels are only added'); end;
create trigger release_labels_kept before delete on release_labels begin select raise(abort, 'labels are only added'); end;

create table release_records (
  no integer primary key, workspace_id text not null references workspaces, decision_id text not null unique references release_decisions (id),
  digest text not null, previous_digest text, document text not null check (json_valid(document)), created_at text not null
) strict;
create index release_records_workspace on release_records (workspace_id, no);
create trigger release_records_fixed before update on release_records begin select raise(abort, 'records are immutable'); end;
create trigger release_records_kept before delete on release_records begin select raise(abort, 'records are immutable'); end;

create table release_keys (
  workspace_id text primary key references workspaces, public_key text not null, fingerprint text not null, secret blob not null, created_at text not null
) strict, without rowid;
`
