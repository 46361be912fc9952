/** The objects that a process, a task or a message is about: their names, pictures and pages. */
import type { Infer, LinkedObject } from '@kontor/contract'
import { useQueries } from '@tanstack/react-query'
import { linkOptions } from '@tanstack/react-router'
import { useClient } from '../client.tsx'
import { useContentLocale } from '../locales.ts'
import { type PickerEntry, pickerSources } from '../picker-sources.ts'

export type Linked = Infer<typeof LinkedObject>

const kinds = ['product', 'file', 'project', 'peo', 'glossary'] as const
export type LinkedKind = (typeof kinds)[number]
export const kindOf = ({ type }: Linked): LinkedKind | undefined => kinds.find((kind) => kind === type)

/** The page of an object, where the console has one. */
export function pageOf(kind: LinkedKind | undefined, tid: string) {
  switch (kind) {
    case 'product':
      return linkOptions({ to: '/products/$tid', params: { tid } })
    case 'file':
      return linkOptions({ to: '/assets/$tid', params: { tid } })
    case 'project':
      return linkOptions({ to: '/channels', search: { channel: tid } })
    case 'glossary':
      return linkOptions({ to: '/glossaries', search: { glossary: tid } })
    default:
      return undefined
  }
}

export type Named = (object: Linked) => PickerEntry | undefined
const keyOf = (type: string | undefined, tid: string | undefined) => `${type} ${tid}`
const atOnce = 100

/** Names of objects of any kind, with one call per kind and hundred objects. Unknown and hidden ones have none. */
export function useLinked(objects: readonly Linked[]): Named {
  const client = useClient()
  const [locale] = useContentLocale()
  const chunks = kinds.flatMap((kind) => {
    const wanted = new Set(objects.flatMap(({ type, tid }) => (type === kind && tid !== undefined ? [tid] : [])))
    const tids = [...wanted].sort()
    const starts = Array.from({ length: Math.ceil(tids.length / atOnce) }, (_, i) => i * atOnce)
    return starts.map((from) => ({ kind, tids: tids.slice(from, from + atOnce) }))
  })
  const named = useQueries({
    combine,
    queries: chunks.map(({ kind, tids }) => ({
      queryKey: ['picker', kind, locale, 'linked', tids],
      queryFn: async () => ({ kind, entries: await pickerSources[kind].named(client, tids, locale) }),
      staleTime: 60_000,
    })),
  })
  return ({ type, tid }) => named.get(keyOf(type, tid))
}

interface Chunk {
  readonly kind: LinkedKind
  readonly entries: readonly PickerEntry[]
}
/** Outside of the hook, so that its identity is stable and TanStack Query memoises its result. */
const combine = (results: readonly { data?: Chunk | undefined }[]) =>
  new Map(
    results.flatMap(({ data }) =>
      data ? data.entries.map((entry): [string, PickerEntry] => [keyOf(data.kind, entry.value), entry]) : [],
    ),
  )
