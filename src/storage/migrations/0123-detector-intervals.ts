/** The interval of a workload's mean score, which older occurrences were stored without. */
export const detectorIntervals = `
update tune_occurrences set detector = json_set(detector, '$.interval', null) where detector is not null;
`
