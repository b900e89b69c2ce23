/** How far annotators agreed when a version was frozen, since their labels go on changing; unknown of the versions before. */
export const versionAnnotators = `
alter table dataset_versions add column annotators text check (annotators is null or json_valid(annotators));
`
