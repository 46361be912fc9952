/**
 * The rights of a caller: one predicate for every path that reads or writes.
 *
 *   grant    actions on a kind of object, narrowed to subtrees, attributes and locales
 *   caller   has the grants of all their roles; an action is allowed if one of them allows it
 *
 * The same grants are available in four forms, so that no path needs a rule of its own:
 *
 *   allows       may the action be done to such objects at all?          a route, before the body is read
 *   within       a condition for SQL: which rows                         lists, never row by row in JavaScript
 *   filterOf     the same as plain data                                  for a search index
 *   rightsAt     which attributes and locales of an object are visible and editable
 *
 * An object that the caller may not read is treated as if it did not exist.
 */
import { hash } from 'node:crypto'
import { dataTypes, type Resource, type Verb } from '@kontor/contract'
import { join, sql, type Sql } from '../../adapters/postgres/sql.ts'

export const actions = [
  'read',
  'create',
  'update',
  'delete',
  'link',
  'checkout',
  'administer',
  'override',
  'share',
] as const
export type Action = (typeof actions)[number]

/** Trees whose paths narrow grants. */
export const trees = ['node', 'dir', 'channel', 'keyword'] as const
export type Tree = (typeof trees)[number]

/** The tree that contains the objects of a kind. A kind without one cannot be narrowed to a subtree. */
// prettier-ignore
const treeOf: ReadonlyMap<string, Tree> = new Map([
  ['classification', 'node'], ['node', 'node'], ['attribute', 'node'], ['product', 'node'], ['article', 'node'], ['variant', 'node'],
  ['rnc', 'dir'], ['dir', 'dir'], ['asset', 'dir'], ['version', 'dir'], ['variation', 'dir'],
  ['project', 'channel'], ['channel', 'channel'], ['peo', 'channel'],
  ['keyword', 'keyword'],
])

/** The kinds of objects that a grant can name. */
export const kinds: readonly string[] = [...new Set([...dataTypes, ...treeOf.keys()])]

/** A choice of names: only these, or all except those; all if neither is given. An empty `only` allows nothing. */
export interface Rule {
  readonly only?: readonly string[]
  readonly except?: readonly string[]
  // Groups of attributes are resolved when grants are loaded: a stored grant is not a grant.
  readonly onlyGroups?: never
  readonly exceptGroups?: never
}

/** A rule about attributes as it is stored: it can name groups of attributes too. */
export interface AttributeRule extends Pick<Rule, 'only' | 'except'> {
  readonly onlyGroups?: readonly string[]
  readonly exceptGroups?: readonly string[]
}

export interface Grant {
  /** A kind as records name it (`product`, `keyword`), or `*`. */
  readonly kind: string
  /** Or `*`. */
  readonly actions: readonly string[]
  /** Paths of subtrees, by tree. A tree that is not listed is not narrowed; one with an empty list is closed. */
  readonly scopes?: Readonly<Partial<Record<Tree, readonly string[]>>>
  readonly visibleAttributes?: Rule
  readonly editableAttributes?: Rule
  readonly visibleLocales?: Rule
  readonly editableLocales?: Rule
}
export type Permissions = readonly Grant[]

/** A grant as roles store it. */
export interface StoredGrant extends Omit<Grant, 'visibleAttributes' | 'editableAttributes'> {
  readonly visibleAttributes?: AttributeRule
  readonly editableAttributes?: AttributeRule
}

/** The grant with the attributes that are in its groups now. An unknown group has none. */
export function resolveGroups(grant: StoredGrant, members: ReadonlyMap<string, readonly string[]>): Grant {
  const { visibleAttributes, editableAttributes, ...rest } = grant
  const resolved = ({ only, except, onlyGroups, exceptGroups }: AttributeRule): Rule => {
    const attributesIn = (groups: readonly string[]) => groups.flatMap((tid) => members.get(tid) ?? [])
    return {
      ...((only ?? onlyGroups) && { only: [...(only ?? []), ...attributesIn(onlyGroups ?? [])] }),
      ...((except ?? exceptGroups) && { except: [...(except ?? []), ...attributesIn(exceptGroups ?? [])] }),
    }
  }
  return {
    ...rest,
    ...(visibleAttributes && { visibleAttributes: resolved(visibleAttributes) }),
    ...(editableAttributes && { editableAttributes: resolved(editableAttributes) }),
  }
}

/** The requirement of a route: one of the actions on objects of the kind, or of any kind if none is given. */
export interface Needs {
  readonly kind?: string | undefined
  readonly any: readonly Action[]
}

const covers = ({ kind, actions }: Grant, action: Action, of: string | undefined) =>
  (of === undefined || kind === '*' || kind === of) && (actions.includes(action) || actions.includes('*'))

export const allows = (permissions: Permissions, action: Action, kind?: string): boolean =>
  permissions.some((grant) => covers(grant, action, kind))

export const meets = (permissions: Permissions, { kind, any }: Needs): boolean =>
  any.some((action) => allows(permissions, action, kind))

/** The rights that types of `perform` actions need; all others need `update`. */
// prettier-ignore
const actionTypes: ReadonlyMap<string, Action> = new Map([
  ['delete', 'delete'], ['copy', 'create'], ['copyToGlossary', 'create'],
  ['link', 'link'], ['unlink', 'link'],
  ['checkout', 'checkout'], ['checkin', 'checkout'], ['undoCheckout', 'checkout'],
  ['replace', 'link'], ['overrideUsage', 'override'],
])
export const neededFor = (actionType: string): Action => actionTypes.get(actionType) ?? 'update'

/** The rights that a verb needs. If there are several, each item is checked again when its own action is known. */
export function needsOf({ dataType: kind, perform = {} }: Pick<Resource, 'dataType' | 'perform'>, verb: Verb): Needs {
  const persist: Action[] = ['create', 'update']
  const performed = Object.keys(perform).map(neededFor)
  const any = {
    query: ['read'],
    retrieve: ['read'],
    persist,
    perform: performed,
    bulk: [...persist, ...performed],
  } as const
  return { kind, any: [...new Set<Action>(any[verb])] }
}

/** The subtrees in which the action is allowed; `all` when it is allowed everywhere. */
export function pathsFor(permissions: Permissions, action: Action, kind: string): 'all' | readonly string[] {
  const tree = treeOf.get(kind)
  const scopes = permissions.filter((grant) => covers(grant, action, kind)).map((grant) => tree && grant.scopes?.[tree])
  if (scopes.includes(undefined)) return 'all'
  const paths = [...new Set(scopes.flatMap((paths) => paths!))]
  return paths.filter((path) => !paths.some((other) => other !== path && isBelow(path, other)))
}

/** Whether a path is the top of a subtree or inside it. */
export const isBelow = (path: string, top: string) => path === top || path.startsWith(`${top}/`)

/** Whether one grant lets the caller read objects of every kind in every subtree. */
export const readsAll = (permissions: Permissions): boolean =>
  permissions.some((grant) => covers(grant, 'read', '*') && Object.keys(grant.scopes ?? {}).length === 0)

/** Whether the action is allowed on an object at the path. */
export function allowsAt(permissions: Permissions, action: Action, kind: string, path: string): boolean {
  const paths = pathsFor(permissions, action, kind)
  return paths === 'all' || paths.some((top) => isBelow(path, top))
}

/**
 * The rows on which the action is allowed, as a condition on the column that holds their path. Each subtree is a range,
 * so that an index on the path (in collation "C") serves it.
 */
export function within(permissions: Permissions, action: Action, kind: string, path: Sql): Sql {
  const paths = pathsFor(permissions, action, kind)
  if (paths === 'all') return sql`true`
  if (paths.length === 0) return sql`false`
  const ranges = paths.map(
    (top) => sql`${path} = ${top} or (${path} collate "C" > ${`${top}/`} and ${path} collate "C" < ${`${top}0`})`,
  )
  return sql`(${join(ranges, ' or ')})`
}

/** For a search index: a document is found if one of the clauses matches it, with the attributes that this clause allows. */
export interface Filter {
  readonly any: readonly { readonly paths?: readonly string[]; readonly attributes?: Rule; readonly locales?: Rule }[]
}

export function filterOf(permissions: Permissions, kind: string): Filter {
  const tree = treeOf.get(kind)
  const clauses = permissions
    .filter((grant) => covers(grant, 'read', kind))
    .map(({ scopes, visibleAttributes: attributes, visibleLocales: locales }) => {
      const paths = tree && scopes?.[tree]
      return { ...(paths && { paths }), ...(attributes && { attributes }), ...(locales && { locales }) }
    })
  const open = clauses.find((clause) => Object.keys(clause).length === 0)
  return { any: open ? [open] : clauses }
}

export interface Right {
  readonly visible: boolean
  readonly editable: boolean
}
/** Rights on the parts of one object. */
export interface Rights {
  /**
   * An attribute by its tid, or a column of a table (`sizes/width`), which is hidden with its table; in one locale if that is
   * given. One grant must allow all of it: the attributes of one role do not open the locales of another.
   */
  attribute(key: string, locale?: string): Right
  locale(locale: string): Right
}

/** The parts of an object at these paths that the caller may see and edit: `accessRights` of data items. */
export function rightsAt(permissions: Permissions, kind: string, paths: readonly string[] = []): Rights {
  const tree = treeOf.get(kind)
  const here = permissions.filter(({ scopes }) => {
    const tops = tree && scopes?.[tree]
    return !tops || paths.some((path) => tops.some((top) => isBelow(path, top)))
  })
  return rightsBy(here, kind)
}

/** The parts that the caller may see and edit in some place: for definitions and names, which are in no place. */
export const rightsAnywhere = (permissions: Permissions, kind: string): Rights => rightsBy(permissions, kind)

/**
 * Whether the caller may see the definition of an attribute of such objects: not if it is hidden on all objects that they may
 * read. Those who may not read any object see what their right to definitions allows.
 */
export function seesDefinition(permissions: Permissions, kind: string, key: string): boolean {
  const kinds = ['attrDefinition', ...(allows(permissions, 'read', kind) ? [kind] : [])]
  return kinds.every((one) => rightsAnywhere(permissions, one).attribute(key).visible)
}

function rightsBy(here: Permissions, kind: string): Rights {
  const readers = here.filter((grant) => covers(grant, 'read', kind))
  const writers = here.filter((grant) => covers(grant, 'update', kind))
  const right = (isSeen: (grant: Grant) => boolean, isEdited: (grant: Grant) => boolean): Right => {
    const visible = readers.some(isSeen)
    return { visible, editable: visible && writers.some((grant) => isSeen(grant) && isEdited(grant)) }
  }
  const locale = (name: string) =>
    right(
      ({ visibleLocales }) => fits(visibleLocales, name),
      ({ editableLocales }) => fits(editableLocales, name),
    )
  return {
    locale,
    attribute: (key, name) =>
      right(
        (grant) => fitsKey(grant.visibleAttributes, key) && (name === undefined || fits(grant.visibleLocales, name)),
        (grant) => fitsKey(grant.editableAttributes, key) && (name === undefined || fits(grant.editableLocales, name)),
      ),
  }
}

/** Whether a rule allows the name. */
const fits = (rule: Rule | undefined, name: string) =>
  rule === undefined || ((rule.only?.includes(name) ?? true) && !rule.except?.includes(name))

/** A table is listed with its columns; an excluded attribute is excluded as a column too. */
function fitsKey(rule: Rule | undefined, key: string): boolean {
  const at = rule ? key.indexOf('/') : -1
  if (at < 0) return fits(rule, key)
  return fits(rule, key.slice(0, at)) && !rule!.except?.includes(key.slice(at + 1))
}

/** Equal for callers with the same permissions. */
export const digestOf = ({ permissions }: { readonly permissions: Permissions }): string =>
  hash(
    'sha256',
    permissions
      .map((grant) => JSON.stringify(grant))
      .toSorted()
      .join('\n'),
  )
