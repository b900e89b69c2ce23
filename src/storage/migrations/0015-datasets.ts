/**
 * Datasets: examples with numbered revisions, labels and reviews, immutable versions, imports and scans. An example that an import has
 * written and not landed yet has the import's number; every listing leaves it out, and so do the counts, which triggers keep.
 */
export const datasets = `
create table datasets (
  no integer primary key, id text not null unique, workspace_id text not null references workspaces,
  name text not null, description text not null, task text not null check (task in ('answer', 'classify', 'pairwise', 'score')),
  menu text check (json_valid(menu)), score_low real, score_high real,
  archived integer not null default 0 check (archived in (0, 1)), search text not null,
  label_changes integer not null default 0, created_at text not null, updated_at text not null
) strict;
create index datasets_workspace on datasets (workspace_id, id);

create table dataset_examples (
  no integer primary key, id text not null unique, dataset_no integer not null references datasets, import_no integer references dataset_imports,
  revision integer not null check (revision >= 1), digest blob not null, source_key text,
  origin_kind text not null check (origin_kind in ('manual', 'import', 'run', 'trace', 'provider_dataset')), origin_ref text check (json_valid(origin_ref)),
  review_state text not null check (review_state in ('draft', 'in_review', 'approved', 'rejected')),
  label text check (json_valid(label)), label_state text not null default 'none' check (label_state in ('none', 'unanimous', 'majority', 'tie')),
  label_by text check (label_by in ('person', 'key')), created_at text not null, updated_at text not null
) strict;
create index dataset_examples_order on dataset_examples (dataset_no, no) where import_no is null;
create index dataset_examples_state on dataset_examples (dataset_no, review_state, no) where import_no is null;
create index dataset_examples_label_state on dataset_examples (dataset_no, label_state, no) where import_no is null;
create index dataset_examples_label on dataset_examples (dataset_no, label, no) where import_no is null;
create index dataset_examples_origin on dataset_examples (dataset_no, origin_kind, no) where import_no is null;
create index dataset_examples_digest on dataset_examples (dataset_no, digest);
create unique index dataset_examples_source on dataset_examples (dataset_no, source_key) where source_key is not null;
create index dataset_examples_import on dataset_examples (import_no) where import_no is not null;

create table dataset_revisions (
  no integer primary key, example_no integer not null references dataset_examples, revision integer not null check (revision >= 1),
  content text not null check (json_valid(content)), digest blob not null, made_by text not null check (json_valid(made_by)),
  created_at text not null, final_state text, unique (example_no, revision)
) strict;
create trigger dataset_revisions_fixed before update of example_no, revision, content, digest on dataset_revisions begin
  select raise(abort, 'revisions are immutable');
end;

create table dataset_labels (
  no integer primary key, example_no integer not null references dataset_examples, revision integer not null,
  annotator text not null, maker text not null check (maker in ('person', 'key')), maker_id text not null,
  value text not null check (json_valid(value)), note text, at text not null, unique (example_no, revision, annotator, maker)
) strict;

create table dataset_verifications (
  no integer primary key, id text not null unique, example_no integer not null references dataset_examples, revision integer not null,
  kind text not null check (kind in ('human_review', 'duplicate_scan', 'secret_scan', 'grader_agreement')), outcome text not null,
  made_by text not null check (json_valid(made_by)), detail text not null check (json_valid(detail)), at text not null
) strict;
create index dataset_verifications_example on dataset_verifications (example_no, revision, kind, no);
create trigger dataset_verifications_fixed before update on dataset_verifications begin
  select raise(abort, 'verification records are immutable');
end;

create table dataset_versions (
  no integer primary key, id text not null unique, dataset_no integer not null references datasets, version integer not null check (version >= 1),
  name text not null, filter text not null check (json_valid(filter)), digest text not null, example_count integer not null,
  labeled_count integer not null, labeled_by_people_count integer not null, made_by text not null check (json_valid(made_by)),
  sealed integer not null check (sealed in (0, 1)), created_at text not null, unique (dataset_no, version)
) strict;
create trigger dataset_versions_fixed before update on dataset_versions when old.sealed = 1 begin
  select raise(abort, 'dataset versions are immutable');
end;
create trigger dataset_versions_kept before delete on dataset_versions when old.sealed = 1 begin
  select raise(abort, 'dataset versions are immutable');
end;
create table dataset_version_examples (
  version_no integer not null references dataset_versions, example_no integer not null references dataset_examples, revision integer not null,
  digest blob not null, label text check (json_valid(label)), label_state text not null, label_by text, primary key (version_no, example_no)
) strict, without rowid;
create trigger dataset_version_examples_sealed before insert on dataset_version_examples
  when (select sealed from dataset_versions where no = new.version_no) = 1 begin select raise(abort, 'dataset versions are immutable'); end;
create trigger dataset_version_examples_fixed before update on dataset_version_examples begin
  select raise(abort, 'dataset versions are immutable');
end;
create trigger dataset_version_examples_kept before delete on dataset_version_examples
  when (select sealed from dataset_versions where no = old.version_no) = 1 begin select raise(abort, 'dataset versions are immutable'); end;

create table dataset_imports (
  no integer primary key, id text not null unique, workspace_id text not null references workspaces, dataset_no integer not null references datasets,
  status text not null check (status in ('validating', 'writing', 'landing', 'previewed', 'imported', 'failed')),
  job_id text, record text not null check (json_valid(record)), created_at text not null
) strict;
create index dataset_imports_dataset on dataset_imports (dataset_no, no);
create table dataset_scans (
  no integer primary key, id text not null unique, workspace_id text not null references workspaces, dataset_no integer not null references datasets,
  status text not null check (status in ('queued', 'running', 'succeeded', 'failed')),
  job_id text, record text not null check (json_valid(record)), created_at text not null
) strict;
create index dataset_scans_dataset on dataset_scans (dataset_no, no);

create table dataset_facets (
  dataset_no integer not null references datasets, facet text not null check (facet in ('review', 'label_state', 'label', 'origin')),
  value text not null, examples integer not null, primary key (dataset_no, facet, value)
) strict, without rowid;
create trigger dataset_facets_added after insert on dataset_examples when new.import_no is null begin
  insert into dataset_facets values (new.dataset_no, 'review', new.review_state, 1), (new.dataset_no, 'label_state', new.label_state, 1),
    (new.dataset_no, 'label', coalesce(new.label, ''), 1), (new.dataset_no, 'origin', new.origin_kind, 1)
    on conflict do update set examples = examples + 1;
end;
create trigger dataset_facets_landed after update of import_no on dataset_examples when old.import_no is not null and new.import_no is null begin
  insert into dataset_facets values (new.dataset_no, 'review', new.review_state, 1), (new.dataset_no, 'label_state', new.label_state, 1),
    (new.dataset_no, 'label', coalesce(new.label, ''), 1), (new.dataset_no, 'origin', new.origin_kind, 1)
    on conflict do update set examples = examples + 1;
end;
create trigger dataset_facets_reviewed after update of review_state on dataset_examples
  when new.import_no is null and old.review_state <> new.review_state begin
  update dataset_facets set examples = examples - 1 where dataset_no = new.dataset_no and facet = 'review' and value = old.review_state;
  insert into dataset_facets values (new.dataset_no, 'review', new.review_state, 1) on conflict do update set examples = examples + 1;
end;
create trigger dataset_facets_labeled after update of label, label_state on dataset_examples
  when new.import_no is null and (old.label is not new.label or old.label_state <> new.label_state) begin
  update dataset_facets set examples = examples - 1
    where dataset_no = new.dataset_no and (facet, value) in (values ('label', coalesce(old.label, '')), ('label_state', old.label_state));
  insert into dataset_facets values (new.dataset_no, 'label', coalesce(new.label, ''), 1), (new.dataset_no, 'label_state', new.label_state, 1)
    on conflict do update set examples = examples + 1;
end;

create virtual table dataset_search using fts5 (
  scope, words, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
`
