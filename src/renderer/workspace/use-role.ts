import { useMe } from '../api/session.queries.ts'

/** What the person in front of the screen may do here. The service refuses the rest in any case. */
export function useRole(): { readonly mayAdminister: boolean; readonly isOwner: boolean } {
  const { data } = useMe()
  return { mayAdminister: data?.role === 'owner' || data?.role === 'admin', isOwner: data?.role === 'owner' }
}
