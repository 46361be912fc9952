/** The readiness of the top channels with their names, shared by several widgets. */
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../object/client.tsx'
import { emptyWhenNotFound } from '../../object/not-found.ts'

const maxChannels = 8

export function useTopReadiness() {
  const { cm } = useClient()
  return useQuery({
    queryKey: ['readiness', 'roots'],
    staleTime: 60_000,
    queryFn: async () => {
      const { tids = [] } = await cm.channels.query({ root: true }).catch(emptyWhenNotFound<{ tids?: string[] }>({}))
      const visibleTids = tids.slice(0, maxChannels)
      if (visibleTids.length === 0) return []
      const projects = await cm.channels.retrieve({ tids: visibleTids })
      const { objects = [] } = await cm.retrieveReadiness({ body: { tids: visibleTids, numbersOnly: true } })
      return objects.map((object) => ({
        ...object,
        tid: object.tid ?? '',
        name: projects.find(({ tid }) => tid === object.tid)?.name ?? object.tid!,
        locales: object.locales ?? [],
      }))
    },
  })
}
export type TopChannel = NonNullable<ReturnType<typeof useTopReadiness>['data']>[number]

/** All languages together, rounded down; undefined if nothing is required. */
export function percentOf(parts: readonly { readonly required?: number; readonly missing?: number }[]) {
  const sum = (name: 'required' | 'missing') => parts.reduce((total, part) => total + (part[name] ?? 0), 0)
  const required = sum('required')
  return required === 0 ? undefined : Math.floor((100 * (required - sum('missing'))) / required)
}
