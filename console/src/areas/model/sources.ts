/** Where attribute definitions are kept: those of products and those of files have the same form and calls of their own. */
import { useQuery } from '@tanstack/react-query'
import { useChange } from '../../object/change.ts'
import { useClient, useMe } from '../../object/client.tsx'
import { toItems } from '../../object/items.ts'
import { useModelChange } from '../../object/model-change.ts'
import { type Definition, useDefinitions } from '../../object/model.ts'
import { emptyWhenNotFound } from '../../object/not-found.ts'
import { accepted } from '../../object/records.ts'
import type { QueryLike } from '../../ui/states.tsx'

export interface DefinitionSource {
  /** Distinguishes the drafts of forms. */
  readonly of: string
  readonly list: QueryLike<readonly Definition[]>
  readonly mayChange: boolean
  /** Throws the refusal of the server. */
  persist(definition: Definition, dryRun: boolean): Promise<unknown>
  /** Also deletes the values. Absent where definitions cannot be deleted. */
  remove?(tid: string): Promise<unknown>
  /** The number of categories and objects that use a definition, where the server counts them. */
  usage?(tid: string): Promise<{ readonly nodes?: number; readonly objects?: number }>
  /** Runs a change, reloads the lists, and reports a refusal. */
  run(work: () => Promise<unknown>): Promise<boolean>
}

export function useProductSource(): DefinitionSource {
  const { pim, mayDefine, run } = useModelChange()
  const calls = pim['attribute-definitions']
  return {
    of: 'product',
    list: useDefinitions(),
    mayChange: mayDefine,
    persist: (definition, dryRun) => accepted(calls.persist([definition], { dryRun })),
    remove: (tid) => accepted(calls.perform([{ type: 'delete', tid, meta: { itm: toItems({ force: 'true' }) } }])),
    usage: async (tid) => (await pim.attributeUsage({ body: { tids: [tid] } })).attributes?.[0] ?? {},
    run,
  }
}

export function useAssetSource(): DefinitionSource {
  const { dam } = useClient()
  const { roles = [] } = useMe()
  const calls = dam['admin/attribute-definitions']
  const list = useQuery({
    queryKey: ['assets', 'definitions'],
    queryFn: () => dam['attribute-definitions'].retrieve({ all: true }).catch(emptyWhenNotFound<Definition[]>([])),
  })
  return {
    of: 'asset',
    list,
    mayChange: roles.includes('admin'),
    persist: (definition, dryRun) => accepted(calls.persist([definition], { dryRun })),
    remove: (tid) => accepted(calls.perform([{ type: 'delete', tid }])),
    run: useChange(['assets']),
  }
}
