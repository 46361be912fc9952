/**
 * Settles a batch: passes the items to the handler of the resource and turns its outcomes into records, one per item.
 *
 * persist passes all objects at once. perform passes consecutive actions of one type as a set, so that effects happen in the
 * order of the items. Requests and bulk runs both use it.
 */
import { because } from '@kontor/contract'
import type { ActionRule, Resource } from '@kontor/contract'
import { Problem } from '../../errors.ts'
import { type Named, NotAtomic, type Response, toRecord } from './batch.ts'
import type { Context, AuditedAction } from '../context.ts'
import type { Act, ActionValue, Mounted, Outcomes } from './handlers.ts'
import { allows, neededFor } from '../access/permissions.ts'

/** An item of a batch and the container it came in. */
export interface Sent {
  readonly container: string
  readonly item: object
}

/** The containers that a verb of the resource accepts. */
export function containersOf(resource: Resource, verb: 'persist' | 'perform'): readonly string[] {
  if (!resource[verb]) return []
  return verb === 'perform' ? ['actions'] : [resource.container, ...Object.keys(resource.alongside ?? {})]
}

/** Settles items in the caller's transaction and returns a record for each. */
export async function settleItems(
  ctx: Context,
  { resource, handlers }: Mounted,
  verb: 'persist' | 'perform',
  sent: readonly Sent[],
  atomic: boolean,
): Promise<Response[]> {
  const items = sent.map(({ item }) => item)
  const outcomes =
    verb === 'persist'
      ? await handlers.persist!(
          ctx,
          items,
          sent.map(({ container }) => container),
        )
      : await performAll(ctx, resource, handlers.perform!, items as ActionValue[])
  if (outcomes.length !== items.length)
    throw new Error(`${resource.container}: ${outcomes.length} outcomes for ${items.length} items`)
  if (atomic && outcomes.flat().some((outcome) => outcome instanceof Problem)) throw new NotAtomic(outcomes)
  if (verb === 'perform')
    for (const event of auditedActionsOf(resource, items as ActionValue[], outcomes)) ctx.audit(event)
  return toRecords(resource, verb, sent, outcomes)
}

export function toRecords(resource: Resource, verb: string, sent: readonly Sent[], outcomes: Outcomes): Response[] {
  return outcomes.flatMap((outcome, i) => {
    const { container } = sent[i]!
    const item = sent[i]!.item as Named & { type?: string; dataType?: string }
    const isAction = verb === 'perform'
    const dataType = (isAction && item.dataType) || (resource.alongside?.[container]?.dataType ?? resource.dataType)
    return [outcome].flat().map((one) => toRecord(dataType, isAction ? (item.type ?? verb) : verb, item, one))
  })
}

/** The canonical name of an action type, by each of its aliases. */
const canonicalTypes = ({ perform = {} }: Resource): ReadonlyMap<string, string> =>
  new Map(Object.entries(perform).flatMap(([type, { aliases = [] }]) => [type, ...aliases].map((name) => [name, type])))

/** Actions that are audited, with their names in the audit log. */
const audited: ReadonlyMap<string, string> = new Map([
  ['delete', 'object.delete'],
  ['cleanCheckout', 'checkout.break'],
])
/** With more objects than this the log only has the count; the history has each of them. */
const mostNamed = 1000

/** One event per batch, action and kind of object, with the count and the objects. */
function auditedActionsOf(resource: Resource, actions: readonly ActionValue[], outcomes: Outcomes): AuditedAction[] {
  const canonical = canonicalTypes(resource)
  const done = outcomes.flatMap((outcome, i) => {
    const { type, dataType, ...named } = actions[i]!
    const action = audited.get(canonical.get(type) ?? '')
    return [outcome].flat().flatMap((one) => {
      if (action === undefined || one instanceof Problem) return []
      const { id, tid, path } = { ...named, ...one }
      return [{ action, dataType, name: String(id ?? tid ?? path) }]
    })
  })
  return [...Map.groupBy(done, ({ action, dataType }) => `${action} ${dataType}`).values()].map((all) => {
    const { action, dataType, name } = all[0]!
    if (all.length === 1) return { action, object: `${dataType} ${name}` }
    return {
      action,
      object: dataType,
      detail: { count: all.length, of: all.slice(0, mostNamed).map((one) => one.name) },
    }
  })
}

/** Passes consecutive actions of one type as a set; keeps the order. */
async function performAll(
  ctx: Context,
  resource: Resource,
  acts: Record<string, Act>,
  actions: readonly ActionValue[],
) {
  const rules = resource.perform!
  const canonical = canonicalTypes(resource)
  const outcomes: Outcomes[number][] = []
  for (let from = 0, to = 0; from < actions.length; from = to) {
    const type = canonical.get(actions[from]!.type)
    for (to = from + 1; to < actions.length && canonical.get(actions[to]!.type) === type;) to++
    const run = actions.slice(from, to)
    const may = type === undefined || allows(ctx.caller.permissions, neededFor(type), resource.dataType)
    const refused = run.map((action) =>
      may
        ? refusalOf(resource, type === undefined ? undefined : rules[type], action)
        : new Problem('forbidden', because('mayNotAction', { action: type })),
    )
    const sound = run.filter((_, i) => !refused[i])
    const settled = type === undefined || sound.length === 0 ? [] : await acts[type]!(ctx, sound)
    let next = 0
    outcomes.push(...refused.map((problem) => problem ?? settled[next++]!))
  }
  return outcomes
}

function refusalOf(resource: Resource, rule: ActionRule | undefined, action: ActionValue): Problem | undefined {
  if (!rule) {
    const known = Object.keys(resource.perform!).join(', ')
    return new Problem('invalid', `@type: no action ${action.type} here; expected one of ${known}`)
  }
  const dataTypes: readonly string[] = [resource.dataType, ...(resource.actionTypes ?? [])]
  if (!dataTypes.includes(action.dataType)) {
    return new Problem(
      'invalid',
      `@dataType: ${action.dataType} is not handled here; expected ${dataTypes.join(' or ')}`,
    )
  }
  if (rule.identify.length > 0 && !rule.identify.some((by) => action[by] !== undefined)) {
    return new Problem('invalid', `the action ${action.type} names no object; give ${rule.identify.join(' or ')}`)
  }
  return undefined
}

export function wrongContainer(container: string, expected: readonly string[]): Problem {
  return new Problem('invalid', `/pim/${container}: not taken by this call, which expects ${expected.join(' or ')}`)
}

/** The parameters of an action, by key. */
export function metaOf(action: ActionValue): ReadonlyMap<string, string> {
  return new Map((action.meta?.itm ?? []).flatMap(({ key, value }) => (key === undefined ? [] : [[key, value ?? '']])))
}
