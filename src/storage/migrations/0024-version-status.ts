/** Versions that packages give have a status of their own; while a package is in review its version is hidden. */
export const versionStatus = `
alter table benchmark_versions add column status text
  check (status is null or status in ('hidden', 'candidate', 'active', 'quarantined', 'retired'));
`
