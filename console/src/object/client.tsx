/** The typed client and who is signed in, for every page. All calls go through the SDK; answers live in the query cache. */
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

export type Me = Infer<typeof Person>

export function useMe(): Me {
  const { identity } = useClient()
  return useSuspenseQuery({ queryKey: ['me'], queryFn: () => identity.me(), staleTime: 300_000 }).data
}

/** Whether the roles of the signed-in person allow an action on a kind of object, somewhere. */
export function useMay(): (action: string, kind: string) => boolean {
  const { roles = [], grants = [] } = useMe()
  return (action, kind) =>
    roles.includes('admin') ||
    grants.some(
      (grant) =>
        (grant.kind === '*' || grant.kind === kind) && (grant.actions.includes('*') || grant.actions.includes(action)),
    )
}

/** Which parts of the platform are there. */
export function useComponents(): Readonly<Record<string, string>> {
  const { common } = useClient()
  const { data } = useQuery({
    queryKey: ['components'],
    queryFn: () => common.retrieveComponents(),
    staleTime: Infinity,
  })
  return data ?? {}
}
