/** Finds a node by the path that people see: names in any language or tids, separated by / or › or >. */
import { Problem } from '../../errors.ts'
import type { Model } from '../model/model.ts'
import type { NodeRow } from '../model/model.sql.ts'

const clean = (name: string) => name.normalize('NFC').trim().toLowerCase()

/** Throws a Problem if the names fit several nodes. */
export function nodeByNames(model: Model, path: string, isVisible: (node: NodeRow) => boolean): NodeRow | undefined {
  const names = path.split(/[/›>]/).map(clean).filter((name) => name !== '') // prettier-ignore
  const fits = (node: NodeRow, name: string) => [node.tid, ...Object.values(node.name)].some((own) => clean(own) === name) // prettier-ignore
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
