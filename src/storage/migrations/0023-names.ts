/**
 * Stored JSON takes the names that the API uses now. In JSON text a quote inside a string is escaped, so `"name":` can only be a key.
 */
export const names = `
update benchmarks set definition = replace(definition, '"licence":', '"license":');
update connections set last_check = replace(last_check, '"proved":', '"verified":') where last_check is not null;
`
