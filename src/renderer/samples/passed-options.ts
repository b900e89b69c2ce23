export const passedOptions = [
  { value: 'true', label: 'Passed' },
  { value: 'false', label: 'Not passed' },
  { value: 'none', label: 'No verdict' },
] as const
