/** What people write on runs and samples. Position −1 is the run itself. */
export const annotations = `
create table run_marks (
  run_no integer not null references runs, position integer not null check (position >= -1), kind text not null check (kind in ('bookmark', 'tag')),
  tag text not null check ((tag = '') = (kind = 'bookmark')), by_kind text not null, by_id text not null, by_name text not null, at text not null,
  primary key (run_no, position, kind, tag)
) strict, without rowid;
create index run_marks_by_tag on run_marks (kind, tag);
create table run_notes (
  no integer primary key, id text not null unique, run_no integer not null references runs, position integer not null check (position >= -1),
  text text not null, by_kind text not null, by_id text not null, by_name text not null, created_at text not null, changed_at text
) strict;
create index run_notes_by_target on run_notes (run_no, position);
`
