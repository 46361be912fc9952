/** The operations of a change: which slot each of them changes, and how. */
import type { ChangeOperation, Infer } from '@kontor/contract'
import { cleanPath } from '../core/batch/names.ts'
import type { Context } from '../core/context.ts'
import { Problem } from '../errors.ts'
import { type Computation, computations, slotFinder } from './computed.ts'
import { type Definition, isList, isLocalized } from './definitions.ts'
import type { Source } from './expressions.ts'
import { type ChangeNeeds, type Kind, resourceOf, retrieveAll } from './needs.ts'
import {
  isSame,
  keyOf,
  linkKeys,
  type ObjectMessage,
  read,
  readLabels,
  type Slot,
  type SlotChange,
  type Texts,
} from './slots.ts'

export type Operation = Infer<typeof ChangeOperation>
type OperationType = Operation['type']

interface Step {
  readonly slot: Slot
  /** The slots that the new content depends on. */
  readonly reads: readonly Slot[]
  /** Whether it may leave the slot without content. */
  readonly mayEmpty: boolean
  apply(texts: Texts, source: Source): Texts
}
export type Plan = readonly Step[]

const maxOperations = 100

interface Rule {
  /** The fields that the operation needs, besides its attribute. */
  readonly needs: readonly ('values' | 'find' | 'from' | 'template' | 'expression' | 'to' | 'dataType')[]
  readonly on: 'value' | 'node' | 'link'
  apply?(texts: Texts, operation: Operation, isList: boolean): Texts
  /** For operations that depend on other values. */
  readonly compile?: (typeof computations)['copy']
}
const emptying: ReadonlySet<OperationType> = new Set(['clear', 'remove', 'replace', 'findReplace', 'unlink'])
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
  copy:        { needs: ['from'], on: 'value', compile: computations.copy },
  concatenate: { needs: ['template'], on: 'value', compile: computations.concatenate },
  calculate:   { needs: ['expression'], on: 'value', compile: computations.calculate },
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
  place = '/changeRequest/operations',
): Promise<Plan> {
  if (operations.length === 0 || operations.length > maxOperations)
    throw new Problem('invalid', `${place}: expected 1 to ${maxOperations} operations`)
  const isNeeded = operations.some(({ type }) => rules[type].on === 'value')
  const definitions = isNeeded ? await loadDefinitions(needs, ctx, kind) : new Map<string, Definition>()
  return operations.map((operation, i): Step => {
    const refuse = (reason: string): never => {
      throw new Problem('invalid', `${place}/${i} (${operation.type}): ${reason}`)
    }
    const rule = rules[operation.type]
    const missing = rule.needs.find((field) => !operation[field]?.length)
    if (missing) refuse(`${missing} is missing`)
    const definition = rule.on === 'value' ? definitionOf(operation, definitions, refuse) : undefined
    const slot = toSlot(kind, operation, refuse)
    const computed = rule.compile && definition && compile(rule.compile, operation, definition, definitions, refuse)
    return {
      slot,
      reads: computed?.reads ?? [],
      mayEmpty: emptying.has(operation.type),
      apply: (texts, source) =>
        computed
          ? (computed.compute(source, texts) ?? texts)
          : rule.apply!(texts, operation, definition !== undefined && isList(definition)),
    }
  })
}

/** The attributes that the caller may see. */
export const loadDefinitions = async (needs: ChangeNeeds, ctx: Context, kind: Kind) =>
  new Map(
    (await retrieveAll<Definition>(ctx, resourceOf(needs, `${kind}Definitions`), { all: true })).map((one) => [
      one.tid,
      one,
    ]),
  )

function compile(
  compiler: NonNullable<Rule['compile']>,
  operation: Operation,
  target: Definition,
  definitions: ReadonlyMap<string, Definition>,
  refuse: (reason: string) => never,
): Computation {
  const find = (attribute: string) => definitions.get(attribute) ?? refuse(`no attribute has the tid ${attribute}`)
  return compiler({ operation, target, definitionOf: find, slotOf: slotFinder(operation, find, refuse), refuse })
}

function definitionOf(
  { type, attribute, locale, values = [] }: Operation,
  definitions: ReadonlyMap<string, Definition>,
  refuse: (reason: string) => never,
): Definition {
  if (attribute === undefined) refuse('attribute is missing')
  const definition = definitions.get(attribute!)
  if (!definition) return refuse(`no attribute has the tid ${attribute}`)
  if (definition.type === 'table') refuse(`${attribute} is a table; change tables object by object`)
  if (isLocalized(definition) && locale === undefined)
    refuse(`${attribute} is localized; send the locale, such as en_GB`)
  if (!isLocalized(definition) && locale !== undefined) refuse(`${attribute} is not localized; leave the locale out`)
  if (!isList(definition) && type !== 'remove' && values.length > 1)
    refuse(`${attribute} takes one value, but ${values.length} were sent`)
  const isText = definition.type === undefined || definition.type === 'text'
  if ((type === 'findReplace' || (type === 'append' && !isList(definition))) && !isText)
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
  const source: Source = {
    texts: (slot) => slots.get(keyOf(slot))?.after ?? read(kind, object, slot),
    labels: (slot) => slots.get(keyOf(slot))?.after ?? readLabels(object, slot),
    name: object.name ?? '',
    tid: object.tid ?? '',
  }
  for (const { slot, apply } of plan) {
    const key = keyOf(slot)
    const known = slots.get(key)
    const before = known?.before ?? read(kind, object, slot)
    slots.set(key, { ...slot, before, after: apply(known?.after ?? before, source) })
  }
  return [...slots.values()].filter(({ before, after }) => !isSame(before, after))
}
