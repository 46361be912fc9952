/** The typed client and the signed-in user, for every page. All calls go through the SDK; replies are in the query cache. */
import type { Client } from '@kontor/sdk'
import type { Infer, NameRule, Person } from '@kontor/contract'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'

export const ClientContext = createContext<Client | undefined>(undefined)

export function useClient(): Client {
  const client = useContext(ClientContext)
  if (!client) throw new Error('ClientContext is missing above this component')
  return client
}

type Me = Infer<typeof Person>
type Grant = NonNullable<Me['grants']>[number]

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

type Tree = 'node' | 'dir' | 'channel'

const coversAt = ({ kind, actions, scopes }: Grant, action: string, of: string, tree: Tree, path: string) =>
  (kind === '*' || kind === of) &&
  (actions.includes('*') || actions.includes(action)) &&
  (scopes?.[tree]?.some((scope) => path === scope || path.startsWith(`${scope}/`)) ?? true)

/** Whether the signed-in user may do an action to an object at a path of a tree. */
export function useMayAt(kind: string, tree: Tree, path: string): (action: string) => boolean {
  const { roles = [], grants = [] } = useMe()
  return (action) => roles.includes('admin') || grants.some((grant) => coversAt(grant, action, kind, tree, path))
}

/** Why the signed-in user may not change a value of an object at a path of a tree; undefined if they may. */
export function useEditRefusal(
  kind: string,
  tree: Tree,
  path: string,
): (attribute: string, locale: string) => 'object' | 'attribute' | 'locale' | undefined {
  const { roles = [], grants = [] } = useMe()
  if (roles.includes('admin')) return () => undefined
  const here = grants.filter((grant) => coversAt(grant, 'update', kind, tree, path))
  return (attribute, locale) => {
    if (here.length === 0) return 'object'
    const ofAttribute = here.filter(({ editableAttributes }) => allows(editableAttributes, attribute))
    if (ofAttribute.length === 0) return 'attribute'
    const isAllowed = locale === '' || ofAttribute.some(({ editableLocales }) => allows(editableLocales, locale))
    return isAllowed ? undefined : 'locale'
  }
}
const allows = (rule: Infer<typeof NameRule> | undefined, name: string) =>
  (rule?.only?.includes(name) ?? true) && !(rule?.except?.includes(name) ?? false)

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
