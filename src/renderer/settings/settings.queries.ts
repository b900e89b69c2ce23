import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'

export function useHealth() {
  return useQuery({ queryKey: ['settings', 'health'], queryFn: ({ signal }) => call('getHealth', {}, { signal }) })
}

export function useMachine() {
  return useQuery({ queryKey: ['settings', 'execution-options'], queryFn: ({ signal }) => call('getExecutionOptions', {}, { signal }) })
}
