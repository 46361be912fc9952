/** Elements of BPMN files as bpmn-moddle represents them, and functions to traverse them. */

/** Properties by name, of any type. */
export interface Element {
  readonly $type: string
  readonly id?: string
  readonly name?: string
  readonly $parent?: Element
  readonly [property: string]: unknown
}

/** The jobs that service tasks can name, with their inputs: true if the input is required. */
export type JobInputs = ReadonlyMap<string, Readonly<Record<string, boolean>>>

/** `bpmn:UserTask` -> `userTask`. */
export const typeOf = ({ $type }: Element): string => {
  const name = $type.replace(/^\w+:/, '')
  return name[0]!.toLowerCase() + name.slice(1)
}

/** The text of an attribute, or of a property that is an element with a body. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value ? (value as { body?: string }).body?.trim() : undefined
}

export const listOf = (value: unknown): readonly Element[] => (value as Element[] | undefined) ?? []

/** An element and all its descendants, by id. */
export function within(element: Element): ReadonlyMap<string, Element> {
  const found = new Map<string, Element>()
  const visit = (one: Element) => {
    if (one.id) found.set(one.id, one)
    for (const inner of [...listOf(one.flowElements), ...listOf(one.artifacts)]) visit(inner)
  }
  visit(element)
  return found
}

/** Kontor's own elements inside `extensionElements`. */
export const extensionsOf = (element: Element, type: string): readonly Element[] =>
  listOf((element.extensionElements as Element | undefined)?.values).filter(({ $type }) => $type === `kontor:${type}`)

/**
 * The sequence flows into or out of an element. Searches all flows, because files need not list them at the element.
 */
export const flowsAt = (
  elements: ReadonlyMap<string, Element>,
  end: 'sourceRef' | 'targetRef',
  element: Element,
): readonly Element[] =>
  [...elements.values()].filter((flow) => flow.$type === 'bpmn:SequenceFlow' && flow[end] === element)
