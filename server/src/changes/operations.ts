/** The operations of a change: which slot each of them changes, and how. */
import type { ChangeOperation, Infer } from '@kontor/contract'
import { cleanPath } from '../core/batch/names.ts'
import type { Context } from '../core/context.ts'
import { Problem } from '../errors.ts'
import { type ChangeNeeds, type Kind, resourceOf, retrieveAll } from './needs.ts'
import { isSame, keyOf, linkKeys, type ObjectMessage, read, type Slot, type SlotChange, type Texts } from './slots.ts'

export type Operation = Infer<typeof ChangeOperation>
type OperationType = Operation['type']

/** An attribute definition, as far as operations need it. */
interface Definition {
  readonly tid: string
  readonly type?: string
  readonly localized?: string
  readonly multiValued?: { readonly value?: string }
}

interface Step {
  readonly slot: Slot
  apply(texts: Texts): Texts
}
export type Plan = readonly Step[]

const maxOperations = 100

interface Rule {
  /** The fields that the operation needs, besides its attribute. */
  readonly needs: readonly ('values' | 'find' | 'to' | 'dataType')[]
  readonly on: 'value' | 'node' | 'link'
  apply(texts: Texts, operation: Operation, isList: boolean): Texts
}
const given = ({ values = [] }: Operation) => values.filter((value) => value !== '')

// prettier-ignore
const rules: Readonly<Record<OperationType, Rule>> = {
  set:         { needs: ['values'], on: 'value', apply: (_, operation) => given(operation) },
  clear:       { needs: [], on: 'value', apply: () => [] },
  append:      { needs: ['values'], on: 'value', apply: (texts, operation, isList) =>
                   isList ? [...new Set([...texts, ...given(operation)])] : [(texts[0] ?? '') + given(operation).join('')] },
  remove:      { needs: ['values'], on: 'value', apply: (texts, operation) => texts.filter((text) => !given(operation).includes(text)) },
  replace:     { needs: ['find'], on: 'value', apply: (texts, { find, replacement = '' }) => texts.map((text) => (text === find ? replacement : text)).filter(Boolean) },
  findReplace: { needs: ['find'], on: 'value', apply: (texts, { find, replacement = '' }) => texts.map((text) => text.replaceAll(patternOf(find!), () => replacement)).filter(Boolean) },
  move:        { needs: ['to'], on: 'node', apply: (_, { to }) => [cleanPath(to!)] },
  link:        { needs: ['to', 'dataType'], on: 'link', apply: (_, operation) => [otherOf(operation)] },
  unlink:      { needs: ['to', 'dataType'], on: 'link', apply: () => [] },
}

/** A text as a pattern, in upper or lower case. */
const patternOf = (text: string) => new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'giu')
const otherOf = ({ dataType, to = '' }: Operation) => (dataType === 'keyword' ? cleanPath(to) : to.trim())

/** Checks the operations against the attributes that the caller may see. Throws a Problem that names the operation. */
export async function planOf(
  needs: ChangeNeeds,
  ctx: Context,
  kind: Kind,
  operations: readonly Operation[],
): Promise<Plan> {
  if (operations.length === 0 || operations.length > maxOperations)
    throw new Problem('invalid', `/changeRequest/operations: expected 1 to ${maxOperations} operations`)
  const isNeeded = operations.some(({ type }) => rules[type].on === 'value')
  const defined = isNeeded
    ? await retrieveAll<Definition>(ctx, resourceOf(needs, `${kind}Definitions`), { all: true })
    : []
  const definitions = new Map(defined.map((one) => [one.tid, one]))
  return operations.map((operation, i) => {
    const refuse = (reason: string): never => {
      throw new Problem('invalid', `/changeRequest/operations/${i} (${operation.type}): ${reason}`)
    }
    const rule = rules[operation.type]
    const missing = rule.needs.find((field) => !operation[field]?.length)
    if (missing) refuse(`${missing} is missing`)
    const definition = rule.on === 'value' ? definitionOf(operation, definitions, refuse) : undefined
    const isList = definition?.multiValued?.value === 'true'
    return {
      slot: toSlot(kind, operation, refuse),
      apply: (texts: Texts) => rule.apply(texts, operation, isList),
    }
  })
}

function definitionOf(
  { type, attribute, locale, values = [] }: Operation,
  definitions: ReadonlyMap<string, Definition>,
  refuse: (reason: string) => never,
): Definition {
  if (attribute === undefined) refuse('attribute is missing')
  const definition = definitions.get(attribute!)
  if (!definition) return refuse(`no attribute has the tid ${attribute}`)
  const isLocalized = definition.localized === 'true'
  if (definition.type === 'table') refuse(`${attribute} is a table; change tables object by object`)
  if (isLocalized && locale === undefined) refuse(`${attribute} is localized; send the locale, such as en_GB`)
  if (!isLocalized && locale !== undefined) refuse(`${attribute} is not localized; leave the locale out`)
  const isList = definition.multiValued?.value === 'true'
  if (!isList && type !== 'remove' && values.length > 1)
    refuse(`${attribute} takes one value, but ${values.length} were sent`)
  const isText = definition.type === undefined || definition.type === 'text'
  if ((type === 'findReplace' || (type === 'append' && !isList)) && !isText)
    refuse(`${attribute} has the type ${definition.type}; only texts can be changed in part`)
  return definition
}

function toSlot(kind: Kind, operation: Operation, refuse: (reason: string) => never): Slot {
  const { type, attribute, locale, dataType, linkType } = operation
  const { on } = rules[type]
  if (on === 'value') return { attribute: attribute!, ...(locale !== undefined && { locale }) }
  if (on === 'node') return kind === 'product' ? { dataType: 'node' } : refuse('only products can be moved')
  if (!linkKeys[kind][dataType!])
    refuse(`${kind}s have no links to ${dataType}s; expected one of ${Object.keys(linkKeys[kind]).join(', ')}`)
  return { dataType: dataType!, ...(linkType && { linkType }), to: otherOf(operation) }
}

/** The slots of an object with their contents before and after all steps; those without a change are left out. */
export function changesOf(kind: Kind, plan: Plan, object: ObjectMessage): SlotChange[] {
  const slots = new Map<string, SlotChange>()
  for (const { slot, apply } of plan) {
    const key = keyOf(slot)
    const known = slots.get(key)
    const before = known?.before ?? read(kind, object, slot)
    slots.set(key, { ...slot, before, after: apply(known?.after ?? before) })
  }
  return [...slots.values()].filter(({ before, after }) => !isSame(before, after))
}
