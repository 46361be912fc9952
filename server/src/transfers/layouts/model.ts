/** The model as layouts see it, and what an import with `createModel` adds to it. */
import { because } from '@kontor/contract'
import { settleItems } from '../../core/batch/settle.ts'
import type { Context } from '../../core/context.ts'
import type { Mounted } from '../../core/batch/handlers.ts'
import { Problem } from '../../errors.ts'
import type { TransferNeeds } from '../needs.ts'
import type { TradeGroup } from './trade.ts'

export interface NewAttribute {
  readonly tid: string
  readonly type: string
  readonly localized: boolean
  readonly multi: boolean
  readonly label: string
}
/** Attributes and nodes that a file needs and that do not exist. */
export interface Missing {
  readonly attributes: readonly NewAttribute[]
  /** Paths, parents first. The first segment is a classification. */
  readonly nodes: readonly { readonly path: string; readonly name: string }[]
  /** The locale of names. */
  readonly locale: string
}

export interface NodeView {
  readonly path?: string
  readonly tid?: string
  readonly name?: { readonly itm?: readonly { readonly value?: string; readonly loc?: string }[] }
}

const keyOf = (name: string) => name.normalize('NFC').trim().toLowerCase()
const segmentOf = (name: string) => name.trim().replaceAll('/', '-').slice(0, 255)

/** Finds nodes by categories of a file; with `home`, nodes that do not exist are planned below it. */
export function nodeFinder(nodes: readonly NodeView[], home: string | undefined) {
  const byPath = new Map(nodes.map((node) => [node.path!, [node.tid!, ...(node.name?.itm ?? []).flatMap(({ value }) => value ?? [])].map(keyOf)])) // prettier-ignore
  const planned = new Map<string, string>()
  const unknown = new Set<string>()
  const known = new Map<string, string>()
  const inFile = new Map<string, string>()
  const byLast = Map.groupBy([...byPath].flatMap(([path, names]) => [...new Set(names)].map((name) => ({ path, name }))), ({ name }) => name) // prettier-ignore
  /** The names of the nodes from the root down to the path. */
  const chainOf = (path: string) => {
    const segments = path.split('/').slice(1)
    return segments.map((_, i) => byPath.get(`/${segments.slice(0, i + 1).join('/')}`) ?? [])
  }
  const fits = (path: string, keys: readonly string[]) => {
    const chain = chainOf(path)
    // a single code may be anywhere; a path begins at the root or directly below it
    const isLong = keys.length === 1 ? chain.length >= 1 : chain.length - keys.length <= 1 && chain.length >= keys.length // prettier-ignore
    return isLong && keys.every((key, i) => chain.at(i - keys.length)!.includes(key))
  }
  const plan = (names: readonly string[], titles = names, isRooted = false) => {
    const above = isRooted ? [] : [home!]
    const shown = [...above, ...titles]
    let path = ''
    for (const [i, name] of [...above, ...names].entries()) {
      path += `/${segmentOf(name)}`
      if (!byPath.has(path)) planned.set(path, shown[i]!)
    }
    return path
  }
  /** Tids before names: codes of other systems are tids here. */
  const find = (names: readonly string[]) => {
    const keys = names.map(keyOf)
    const found = (byLast.get(keys.at(-1)!) ?? []).map(({ path }) => path).filter((path) => fits(path, keys))
    const exact = found.filter((path) => path.endsWith(`/${names.at(-1)!.trim()}`))
    return exact.length > 0 ? exact : found
  }
  return {
    planned,
    plan,
    find,
    unknown,
    madeUnder(tid: string, parent: string): string {
      const made = inFile.get(keyOf(parent)) ?? byLast.get(keyOf(parent))?.[0]?.path
      if (made === undefined) {
        inFile.set(keyOf(tid), `/${parent}/${tid}`) // the parent is a root of the same file
        return `/${parent}`
      }
      inFile.set(keyOf(tid), `${made}/${tid}`)
      return made
    },
    pathsOf: (tid: string) => (byLast.get(keyOf(tid)) ?? []).map(({ path }) => path),
    nodeOf(...choices: readonly (readonly string[])[]): string | undefined {
      const names = choices[0]
      if (!names) return home === undefined ? undefined : plan([])
      const shown = choices.map((one) => one.join(' > ')).join(' or ')
      const before = known.get(shown)
      if (before !== undefined) return before
      const found = choices.map(find).find((paths) => paths.length > 0) ?? []
      if (found.length > 1)
        throw new Problem('invalid', because('categoryAmbiguous', { name: shown, paths: found.slice(0, 5).join(', ') }))
      if (found.length === 0 && home === undefined) unknown.add(shown)
      if (found.length === 0 && home === undefined)
        throw new Problem('invalid', because('categoryUnknown', { name: shown }))
      const path = found[0] ?? plan(names)
      known.set(shown, path)
      return path
    },
  }
}

/**
 * Finds nodes by categories with codes and names, from the top. Nodes that are planned have the codes as tids; `isRooted`:
 * the first one is a classification.
 */
export const groupFinder =
  ({ plan, find, nodeOf }: ReturnType<typeof nodeFinder>, createModel: boolean) =>
  (groups: readonly TradeGroup[], isRooted: boolean): string | undefined => {
    if (groups.length === 0) return nodeOf()
    const codes = groups.map(({ code }) => code)
    const titles = groups.map(({ name }) => name)
    const last = createModel ? [] : [codes.slice(-1), titles.slice(-1)] // otherwise the path is made
    const ways = [...new Map([codes, titles, ...last].map((way) => [way.join(' > '), way])).values()]
    if (createModel && ways.every((way) => find(way).length === 0)) return plan(codes, titles, isRooted)
    return nodeOf(...ways)
  }

/** All nodes that the caller may read. */
export async function readNodes(ctx: Context, retrieve: TransferNeeds['retrieveClasses']): Promise<NodeView[]> {
  try {
    const { nodes = [] } = await retrieve(ctx)
    const found: NodeView[] = []
    for await (const node of nodes) found.push(node)
    return found
  } catch (error) {
    if (error instanceof Problem && error.kind === 'notFound') return []
    throw error
  }
}

export const isNothing = ({ attributes, nodes }: Missing): boolean => attributes.length === 0 && nodes.length === 0

/** Creates what is missing, in the caller's transaction. Throws a Problem that names everything that was refused. */
export async function makeModel(
  ctx: Context,
  demand: (path: string) => Mounted,
  { attributes, nodes, locale }: Missing,
): Promise<void> {
  const named = (value: string) => ({ itm: [{ value, loc: locale }] })
  const steps: readonly (readonly [path: string, container: string, items: readonly object[]])[] = [
    ['attribute-definitions', 'attrDefs', attributes.map(({ tid, type, localized, multi, label }) => ({ tid, type, name: named(label), ...(localized && { localized: 'true' }), ...(multi && { multiValued: { value: 'true' } }) }))], // prettier-ignore
    ['classes', 'classes', nodes.filter(({ path }) => depthOf(path) === 1).map(({ path, name }) => ({ tid: path.slice(1), name: named(name) }))], // prettier-ignore
    ['nodes', 'nodes', nodes.filter(({ path }) => depthOf(path) > 1).map(({ path, name }) => ({ parentPath: path.replace(/\/[^/]*$/, ''), tid: path.slice(path.lastIndexOf('/') + 1), name: named(name) }))], // prettier-ignore
  ]
  const faults: string[] = []
  for (const [path, container, items] of steps) {
    if (items.length === 0) continue
    const sent = items.map((item) => ({ container, item }))
    const records = await settleItems(ctx, demand(`/api/core/v1/pim/${path}`), 'persist', sent, false)
    faults.push(...records.flatMap(({ status, tid, description }) => (status === 'SUCCESS' ? [] : [`createModel: ${container} ${tid}: ${description}`]))) // prettier-ignore
  }
  if (faults.length > 0) throw new Problem('invalid', faults.slice(0, 100))
}

const depthOf = (path: string) => path.split('/').length - 1
