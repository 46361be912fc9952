/** The typed client and the signed-in user, for every page. All calls go through the SDK; replies are in the query cache. */
import type { Client } from '@kontor/sdk'
import type { Infer, Person } from '@kontor/contract'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'

export const ClientContext = createContext<Client | undefined>(undefined)

export function useClient(): Client {
  const client = useContext(ClientContext)
  if (!client) throw new Error('ClientContext is missing above this component')
  return client
}

type Me = Infer<typeof Person>

export function useMe(): Me {
  const { identity } = useClient()
  return useSuspenseQuery({ queryKey: ['me'], queryFn: () => identity.me(), staleTime: 300_000 }).data
}

/** Whether the roles of the signed-in user allow an action on a kind of object, at least in some subtree. */
export function useMay(): (action: string, kind: string) => boolean {
  const { roles = [], grants = [] } = useMe()
  return (action, kind) =>
    roles.includes('admin') ||
    grants.some(
      (grant) =>
        (grant.kind === '*' || grant.kind === kind) && (grant.actions.includes('*') || grant.actions.includes(action)),
    )
}

/** The components of the platform, and the state of each. */
export function useComponents(): Readonly<Record<string, string>> {
  const { common } = useClient()
  const { data } = useQuery({
    queryKey: ['components'],
    queryFn: () => common.retrieveComponents(),
    staleTime: Infinity,
  })
  return data ?? {}
}
