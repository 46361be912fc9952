/** The data model as pages read it: attribute definitions by tid, the classification tree with product counts. */
import type { AttrDefinition, ClassificationTree, Infer } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { TreeItem } from '../ui/tree/tree.tsx'
import { useClient } from './client.tsx'
import { nameIn } from './items.ts'
import { useContentLocale } from './locales.ts'
import { emptyWhenNotFound } from './not-found.ts'
import { type Attribute, toAttribute } from './values/attribute.ts'

export type Definition = Infer<typeof AttrDefinition>
export type TreeNode = NonNullable<Infer<typeof ClassificationTree>['nodes']>[number]

/** The query key of everything that is read from the model; a change of the model invalidates it. */
export const modelKey = ['model']

export function useDefinitions() {
  const { pim } = useClient()
  return useQuery({
    queryKey: [...modelKey, 'definitions'],
    queryFn: () => pim['attribute-definitions'].retrieve({ all: true }).catch(emptyWhenNotFound<Definition[]>([])),
    staleTime: 60_000,
  })
}

/** All definitions as editors need them, labelled in the chosen content language. */
export function useAttributes(): ReadonlyMap<string, Attribute> {
  const { data } = useDefinitions()
  const [locale] = useContentLocale()
  return useMemo(() => new Map(data?.map((one) => [one.tid, toAttribute(one, locale)])), [data, locale])
}

/** The attributes of files. */
export function useAssetAttributes(enabled = true): ReadonlyMap<string, Attribute> {
  const { dam } = useClient()
  const [locale] = useContentLocale()
  const { data } = useQuery({
    queryKey: ['assets', 'definitions'],
    queryFn: () => dam['attribute-definitions'].retrieve({ all: true }).catch(emptyWhenNotFound<Definition[]>([])),
    staleTime: 60_000,
    enabled,
  })
  return useMemo(() => new Map(data?.map((one) => [one.tid, toAttribute(one, locale)])), [data, locale])
}

export function useClassificationTree() {
  const { pim } = useClient()
  return useQuery({
    queryKey: [...modelKey, 'tree'],
    queryFn: async () => (await pim.classificationTree()).nodes ?? [],
    staleTime: 30_000,
  })
}

export interface NodeTree {
  readonly roots: readonly TreeItem[]
  readonly childrenOf: (path: string) => readonly TreeItem[]
  readonly byPath: ReadonlyMap<string, TreeNode>
}

/** The items of the tree component; the key of an item is the path of its node. */
export function toNodeTree(nodes: readonly TreeNode[], locale: string, end: (node: TreeNode) => string): NodeTree {
  const children = Map.groupBy(nodes, ({ parentId }) => parentId)
  const toItem = (node: TreeNode): TreeItem => ({
    key: node.path ?? '',
    label: nameIn(node.name, locale) || (node.tid ?? ''),
    end: end(node),
    hasChildren: children.has(node.id),
  })
  const byPath = new Map(nodes.map((node) => [node.path ?? '', node]))
  return {
    roots: (children.get(undefined) ?? []).map(toItem),
    childrenOf: (path) => (children.get(byPath.get(path)?.id) ?? []).map(toItem),
    byPath,
  }
}

/** A path in readable form: the names of the nodes from the top. */
export function namesOfPath(tree: NodeTree, path: string, locale: string): string[] {
  const parts = path.split('/').slice(1)
  return parts.map((part, i) => nameIn(tree.byPath.get(`/${parts.slice(0, i + 1).join('/')}`)?.name, locale) || part)
}
