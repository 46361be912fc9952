/** A product of a message in one form for all levels, with names, tids, node and links checked. */
import { because, type Infer, type Long, type Product, productTypes, type Variant } from '@kontor/contract'
import { cleanName, sentName } from '../../core/batch/names.ts'
import { Problem } from '../../errors.ts'
import type { Model } from '../model/model.ts'
import type { ValMessage } from '../../values/api.ts'
import { type SentLink, toSentLinks } from './products.links.ts'
import type { LevelNumber } from './products.sql.ts'

export type ProductMessage = Infer<typeof Product>
type ObjectMessage = Infer<typeof Variant>

export interface Sent {
  readonly level: LevelNumber
  readonly tid: string | undefined
  readonly name: string | undefined
  /** The node of a product, if one was sent. */
  readonly nodeId: number | undefined
  readonly vals: readonly ValMessage[]
  readonly links: readonly SentLink[]
  /** The articles of a product, the variations of an article. */
  readonly members: readonly Sent[]
}

const none: readonly Sent[] = []

export function toSent(model: Model, product: ProductMessage): Sent {
  const articles = product.articles?.article?.map((article) => {
    const variants = article.variants?.variant?.map((variant) => toObject(2, variant, undefined, none))
    return toObject(1, article, undefined, variants ?? none)
  })
  return toObject(0, product, nodeOf(model, product), articles ?? none)
}

function toObject(
  level: LevelNumber,
  message: ObjectMessage,
  nodeId: number | undefined,
  members: readonly Sent[],
): Sent {
  const { tid, name, vals, links } = message
  return {
    level,
    tid: tid === undefined ? undefined : cleanName(`the tid of the ${productTypes[level]}`, tid),
    name: name === undefined ? undefined : sentName(`the name of the ${productTypes[level]}`, name),
    nodeId,
    vals: vals?.val ?? [],
    links: links ? toSentLinks(links) : [],
    members,
  }
}

/** The path of a node begins with its classification, which may be named by `clazz` instead. */
function nodeOf(model: Model, { node: path, clazz }: ProductMessage): number | undefined {
  if (path === undefined) return undefined
  const node = model.node(path) ?? (clazz === undefined ? undefined : model.node(`/${clazz}/${path}`))
  if (!node) throw new Problem('notFound', because('noCategory', { path }))
  return node.id
}

/** All objects of a message, parents first. */
export function* objectsOf(sent: Sent): Generator<Sent> {
  yield sent
  for (const member of sent.members) yield* objectsOf(member)
}

/** How an end of a link is named: by tid or by id. */
export type EndName = { readonly tid: string } | { readonly id: Long }
