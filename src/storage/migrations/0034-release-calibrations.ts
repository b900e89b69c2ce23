/** Figures of judges, pinned for decisions. */
export const releaseCalibrations = `
create table release_calibrations (
  id text primary key, workspace_id text not null references workspaces, evaluator_version_id text not null,
  calibration text not null check (json_valid(calibration)), digest text not null, created_at text not null
) strict;
create index release_calibrations_workspace on release_calibrations (workspace_id, id);
create trigger release_calibrations_fixed before update on release_calibrations begin select raise(abort, 'pinned calibrations are immutable'); end;
create trigger release_calibrations_kept before delete on release_calibrations begin select raise(abort, 'pinned calibrations are immutable'); end;
`
