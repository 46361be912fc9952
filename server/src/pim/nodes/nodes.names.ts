/** Finds a node by the path that people see: names in any language or tids, separated by / or › or >. */
import { because } from '@kontor/contract'
import { Problem } from '../../errors.ts'
import type { Model } from '../model/model.ts'
import type { NodeRow } from '../model/model.sql.ts'

/**
 * Finds a category as a table names it: by its path or tid, by its name, or by the last names of its path, as in
 * Men > Shoes. Throws a Problem if several fit.
 */
export function categoryByNames(
  model: Model,
  text: string,
  isVisible: (node: NodeRow) => boolean,
): NodeRow | undefined {
  const known = text.startsWith('/') ? model.node(text) : undefined
  if (known) return isVisible(known) ? known : undefined
  const whole = clean(text)
  const names = text.split(/[/›>]/).map(clean).filter((name) => name !== '') // prettier-ignore
  const isBelow = (node: NodeRow, above: readonly string[]): boolean => {
    const name = above.at(-1)
    if (name === undefined) return true
    const parent = node.parentId === null ? undefined : model.node(node.parentId)
    return parent !== undefined && fits(parent, name) && isBelow(parent, above.slice(0, -1))
  }
  const last = names.at(-1)
  const byName = nodesByName(model)
  const ends = (last === undefined ? [] : (byName.get(last) ?? [])).filter((node) => isBelow(node, names.slice(0, -1)))
  const found = [...new Set([...(byName.get(whole) ?? []), ...ends])].filter(isVisible)
  // A whole path from the top is meant before the end of a longer one.
  const top = found.filter((node) => node.path.split('/').length - 1 === names.length)
  const meant = found.length > 1 && top.length === 1 ? top : found
  if (meant.length <= 1) return meant[0]
  const paths = meant.slice(0, 5).map((node) => node.path).join(', ') // prettier-ignore
  throw new Problem('invalid', because('categoriesFit', { name: text.slice(0, 100), paths }))
}

/** Made once for each version of the model: tables name many categories. */
const indexes = new WeakMap<Model, ReadonlyMap<string, NodeRow[]>>()
function nodesByName(model: Model): ReadonlyMap<string, NodeRow[]> {
  const known = indexes.get(model)
  if (known) return known
  const named = model.nodes.flatMap((node) => [node.tid, ...Object.values(node.name)].map((name) => ({ key: clean(name), node }))) // prettier-ignore
  const made = new Map(
    [...Map.groupBy(named, ({ key }) => key)].map(([key, same]) => [key, same.map(({ node }) => node)]),
  )
  indexes.set(model, made)
  return made
}

const fits = (node: NodeRow, name: string) => [node.tid, ...Object.values(node.name)].some((own) => clean(own) === name)

const clean = (name: string) => name.normalize('NFC').trim().toLowerCase()

/** Throws a Problem if the names fit several nodes. */
export function nodeByNames(model: Model, path: string, isVisible: (node: NodeRow) => boolean): NodeRow | undefined {
  const names = path.split(/[/›>]/).map(clean).filter((name) => name !== '') // prettier-ignore
  const [top, ...below] = names
  if (top === undefined) return undefined
  const roots = model.nodes.filter((node) => node.parentId === null && fits(node, top))
  const found = below
    .reduce((nodes, name) => nodes.flatMap(({ id }) => model.childrenOf(id)).filter((node) => fits(node, name)), roots)
    .filter(isVisible)
  if (found.length <= 1) return found[0]
  const paths = found.map((node) => node.path).join(', ')
  throw new Problem('invalid', `the path ${path} fits several nodes; name one of ${paths}`)
}
