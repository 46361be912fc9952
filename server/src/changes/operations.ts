/** The operations of a change: which slot each of them changes, and how. */
import type { ChangeOperation, Infer } from '@kontor/contract'
import { cleanPath } from '../core/batch/names.ts'
import type { Context } from '../core/context.ts'
import { Problem } from '../errors.ts'
import { type Computation, computations, demandLocale, slotFinder } from './computed.ts'
import { type Definition, isList, isLocalized, labelsIn } from './definitions.ts'
import type { Source } from './expressions.ts'
import { compileLinks, type LinkPattern, type SlotOfName } from './link-by-name.ts'
import { type ChangeNeeds, type Kind, resourceOf, retrieveAll } from './needs.ts'
import { createMeter, replacerOf } from './lengths.ts'
import { compileNaming, type NameOf, type Naming } from './rename.ts'
import {
  isSame,
  isUsageList,
  keyOf,
  linkKeys,
  type ObjectMessage,
  placesOf,
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
  readonly naming?: Naming
  readonly links?: LinkPattern
  /** The tid of the file that takes the places of the others. */
  readonly replacement?: string
}
export type Plan = readonly Step[]

const maxOperations = 100

/** The findings of the pattern operations of a plan about a batch of objects. */
interface Prepared {
  readonly nameOf?: NameOf
  readonly slotOf?: SlotOfName
  readonly placesOf?: (object: ObjectMessage) => SlotChange[]
}
export const namingOf = (plan: Plan) => plan.find(({ naming }) => naming)?.naming

/** `objects` in the order of the change. */
export async function prepare(
  needs: ChangeNeeds,
  ctx: Context,
  plan: Plan,
  objects: readonly ObjectMessage[],
): Promise<Prepared[]> {
  const prepared: Prepared[] = []
  for (const { naming, links, replacement } of plan)
    prepared.push({
      ...(naming && { nameOf: await naming.prepare(needs, ctx, objects) }),
      ...(links && { slotOf: await links.prepare(needs, ctx, objects) }),
      ...(replacement !== undefined && { placesOf: await replacing(needs, ctx, replacement) }),
    })
  return prepared
}

/** The places that an asset leaves, and those that the other one gets; each only once, from the first that leaves it. */
async function replacing(needs: ChangeNeeds, ctx: Context, tid: string) {
  const [other] = await retrieveAll<ObjectMessage>(ctx, resourceOf(needs, 'asset'), { tids: [tid] })
  const given = new Set<string>()
  return (object: ObjectMessage): SlotChange[] => {
    if (!other) throw new Problem('notFound', `no asset has the tid ${tid.slice(0, 255)}`)
    if (object.tid === tid) throw new Problem('invalid', 'the asset cannot replace itself')
    return placesOf(object).flatMap((slot) => {
      const at = { ...slot, of: tid }
      const isNew = !given.has(keyOf(at)) && read('asset', other, slot).length === 0
      given.add(keyOf(at))
      const left = { ...slot, before: [slot.to!], after: [] }
      return isNew ? [left, { ...at, before: [], after: [slot.to!] }] : [left]
    })
  }
}

interface Rule {
  /** The fields that the operation needs, besides its attribute. */
  readonly needs: readonly ('values' | 'find' | 'from' | 'template' | 'expression' | 'to' | 'dataType')[]
  readonly on: 'value' | 'place' | 'link' | 'name'
  apply?(texts: Texts, operation: Operation, isList: boolean): Texts
  /** For operations that depend on other values. */
  readonly compile?: (typeof computations)['copy']
}
const emptying: ReadonlySet<OperationType> = new Set(['clear', 'remove', 'replace', 'findReplace', 'unlink'])
const given = ({ values = [], dataType }: Operation) =>
  values.filter((value) => value !== '').map((value) => (dataType === 'keyword' ? cleanPath(value) : value))

// prettier-ignore
const rules: Readonly<Record<OperationType, Rule>> = {
  set:         { needs: ['values'], on: 'value', apply: (_, operation) => given(operation) },
  clear:       { needs: [], on: 'value', apply: () => [] },
  append:      { needs: ['values'], on: 'value', apply: (texts, operation, isList) =>
                   isList ? [...new Set([...texts, ...given(operation)])] : [(texts[0] ?? '') + given(operation).join('')] },
  remove:      { needs: ['values'], on: 'value', apply: (texts, operation) => without(texts, new Set(given(operation))) },
  replace:     { needs: ['find'], on: 'value', apply: (texts, { find, replacement = '' }) => texts.map((text) => (text === find ? replacement : text)).filter(Boolean) },
  findReplace: { needs: ['find'], on: 'value', apply: (texts, { find, replacement = '' }) => texts.map(replacerOf(find!, replacement)).filter(Boolean) },
  copy:        { needs: ['from'], on: 'value', compile: computations.copy },
  concatenate: { needs: ['template'], on: 'value', compile: computations.concatenate },
  calculate:   { needs: ['expression'], on: 'value', compile: computations.calculate },
  move:        { needs: ['to'], on: 'place', apply: (_, { to }) => [cleanPath(to!)] },
  link:        { needs: ['to', 'dataType'], on: 'link', apply: (_, operation) => [otherOf(operation)] },
  unlink:      { needs: ['to', 'dataType'], on: 'link', apply: () => [] },
  rename:      { needs: [], on: 'name' },
  linkByName:  { needs: ['template'], on: 'name' },
  replaceFile: { needs: ['to'], on: 'name' },
}

const without = (texts: Texts, gone: ReadonlySet<string>) => texts.filter((text) => !gone.has(text))
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
  const isNeeded = operations.some(({ type }) => rules[type].on === 'value' || type === 'rename')
  const definitions = isNeeded ? await loadDefinitions(needs, ctx, kind) : new Map<string, Definition>()
  const isByName = operations.some(({ type }) => type === 'linkByName')
  const ofProducts = isByName ? await loadDefinitions(needs, ctx, 'product') : new Map<string, Definition>()
  return operations.map((operation, i): Step => {
    const refuse = (reason: string): never => {
      throw new Problem('invalid', `${place}/${i} (${operation.type}): ${reason}`)
    }
    const rule = rules[operation.type]
    const missing = rule.needs.find((field) => !operation[field]?.length)
    if (missing) refuse(`${missing} is missing`)
    if (operation.clearIfMissing && !rule.compile) refuse('clearIfMissing is for copy, concatenate and calculate')
    if (rule.on === 'name') {
      if (kind !== 'asset') refuse('only for assets')
      if (operation.type === 'replaceFile') {
        if (operations.length > 1) refuse('other operations are not possible in the same change')
        return { ...fixed, slot: { dataType: 'product' }, replacement: operation.to!.trim() }
      }
      return operation.type === 'rename'
        ? namingStep(operations, i, definitions, refuse)
        : { ...fixed, slot: { dataType: 'product' }, links: compileLinks(operation, ofProducts, refuse) }
    }
    const isPart = isPartOfAsset(kind, operation, refuse)
    const definition = rule.on === 'value' && !isPart ? definitionOf(operation, definitions, refuse) : undefined
    const slot = toSlot(kind, operation, refuse)
    const isOfList = isPart
      ? !operation.usageRight || isUsageList(operation.usageRight)
      : definition !== undefined && isList(definition)
    const computed = rule.compile && definition && compile(rule.compile, operation, definition, definitions, refuse)
    const left = (texts: Texts) => (operation.clearIfMissing ? (computed?.clear?.(texts) ?? []) : texts)
    return {
      slot,
      reads: computed?.reads ?? [],
      mayEmpty: emptying.has(operation.type) || operation.clearIfMissing === true,
      apply: (texts, source) =>
        computed ? (computed.compute(source, texts) ?? left(texts)) : rule.apply!(texts, operation, isOfList),
    }
  })
}

const fixed = { reads: [], mayEmpty: false, apply: (texts: Texts) => texts }

function namingStep(
  operations: readonly Operation[],
  at: number,
  definitions: ReadonlyMap<string, Definition>,
  refuse: (reason: string) => never,
): Step {
  const other = operations.find(({ type }, i) => type === 'move' || (type === 'rename' && i !== at))
  if (other) refuse(`${other.type} is not possible in the same change`)
  const operation = operations[at]!
  const find = (attribute: string) => definitions.get(attribute) ?? refuse(`no attribute has the tid ${attribute}`)
  const naming = compileNaming({ operation, definitions, slotOf: slotFinder(operation, find, refuse), refuse })
  return { ...fixed, slot: { dataType: 'name' }, reads: naming.reads, naming }
}

const partOperations: readonly OperationType[] = ['set', 'clear', 'append', 'remove', 'replace']

/** Whether an operation on values is about usage rights or keywords rather than an attribute. */
function isPartOfAsset(kind: Kind, operation: Operation, refuse: (reason: string) => never): boolean {
  const { type, attribute, usageRight, dataType, values = [] } = operation
  const part = usageRight ?? (rules[type].on === 'value' && dataType === 'keyword' ? dataType : undefined)
  if (part === undefined) return false
  if (kind !== 'asset') refuse('only assets have usage rights and keywords')
  if (attribute !== undefined) refuse(`send attribute or ${usageRight ? 'usageRight' : 'dataType'}, not both`)
  if (!partOperations.includes(type)) refuse(`not possible for ${part}; expected one of ${partOperations.join(', ')}`)
  if (usageRight && !isUsageList(usageRight) && (values.length > 1 || type === 'append' || type === 'remove'))
    refuse(`${usageRight} takes one value; set or clear it`)
  return true
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
  if (locale !== undefined) demandLocale(locale, refuse)
  if (!isList(definition) && type !== 'remove' && values.length > 1)
    refuse(`${attribute} takes one value, but ${values.length} were sent`)
  const isText = definition.type === undefined || definition.type === 'text'
  if ((type === 'findReplace' || (type === 'append' && !isList(definition))) && !isText)
    refuse(`${attribute} has the type ${definition.type}; only texts can be changed in part`)
  return definition
}

function toSlot(kind: Kind, operation: Operation, refuse: (reason: string) => never): Slot {
  const { type, attribute, locale, usageRight, dataType, linkType } = operation
  const { on } = rules[type]
  if (usageRight) return { usageRight }
  if (on === 'value' && attribute === undefined) return { dataType: 'keyword' }
  if (on === 'value') return { attribute: attribute!, ...(locale !== undefined && { locale }) }
  if (on === 'place') return { dataType: kind === 'product' ? 'node' : 'folder' }
  if (!linkKeys[kind][dataType!])
    refuse(`${kind}s have no links to ${dataType}s; expected one of ${Object.keys(linkKeys[kind]).join(', ')}`)
  return { dataType: dataType!, ...(linkType && { linkType }), to: otherOf(operation) }
}

/** The slots of an object with their contents before and after all steps; those without a change are left out. */
export function changesOf(kind: Kind, plan: Plan, prepared: readonly Prepared[], object: ObjectMessage): SlotChange[] {
  const slots = new Map<string, SlotChange>()
  const write = createMeter()
  const texts = (slot: Slot) => slots.get(keyOf(slot))?.after ?? read(kind, object, slot)
  const source: Source = {
    texts,
    labels: (slot, definition, locale) =>
      labelsIn(definition, slot.locale ?? locale, texts(slot), slots.get(keyOf(slot))?.after ?? readLabels(object, slot)), // prettier-ignore
    name: object.name ?? '',
    tid: object.tid ?? '',
  }
  plan.forEach((step, i) => {
    const { nameOf, slotOf, placesOf: places } = prepared[i]!
    if (places) return places(object).forEach((change) => slots.set(keyOf(change), change))
    const slot = slotOf ? slotOf(object) : step.slot
    const key = keyOf(slot)
    const known = slots.get(key)
    const before = known?.before ?? read(kind, object, slot)
    const after = nameOf ? [nameOf(object, source)] : slotOf ? [slot.to!] : step.apply(known?.after ?? before, source)
    write(after)
    slots.set(key, { ...slot, before, after })
  })
  return [...slots.values()].filter(({ before, after }) => !isSame(before, after))
}
