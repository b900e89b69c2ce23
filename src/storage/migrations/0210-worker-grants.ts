/**
 * Which labels an owner granted to a key's workers (JSON; null: the key is older, and its workers take any), and whose a worker is: the key or
 * person that it joined with. Totals of traffic that no reader can hold are brought back to the largest that one can.
 */
export const workerGrants = `
alter table api_keys add column worker_labels text;
alter table workers add column joined_by text;
update network_hosts set requests = min(requests, 9007199254740991), sent_bytes = min(sent_bytes, 9007199254740991),
  received_bytes = min(received_bytes, 9007199254740991);
`
