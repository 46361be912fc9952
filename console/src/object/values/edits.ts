/**
 * Unsaved edits of the values of several items, each with the value that its author saw. So an edit is noticed to collide
 * with a change that somebody else has saved meanwhile, also after a reload.
 */
import { type Changes, sameTexts, type Texts } from './draft.ts'

export interface Edit {
  /** The key of the item. */
  readonly item: string
  readonly key: string
  readonly locale: string
  readonly texts: Texts
  /** The stored value when the edit was begun. */
  readonly before: Texts
}
export type Edits = readonly Edit[]

/** The same value was changed by somebody else. */
export interface Collision {
  readonly edit: Edit
  /** undefined: the item was deleted. */
  readonly theirs: Texts | undefined
}

type Place = Pick<Edit, 'item' | 'key' | 'locale'>
const isAt = (place: Place) => (edit: Edit) =>
  edit.item === place.item && edit.key === place.key && edit.locale === place.locale

export const editAt = (edits: Edits, place: Place) => edits.find(isAt(place))

/** Adds an edit or replaces the one of the same value. A text that is stored already, or was before, is no edit. */
export function withEdit(edits: Edits, place: Place, texts: Texts, stored: Texts): Edits {
  const former = editAt(edits, place)
  const before = former?.before ?? stored
  const isEdit = !sameTexts(texts, before) && !sameTexts(texts, stored)
  const edit = { ...place, texts, before }
  if (!former) return isEdit ? [...edits, edit] : edits
  return edits.flatMap((one) => (one === former ? (isEdit ? [edit] : []) : [one]))
}

/** Compares the edits with what is stored now. What somebody else has saved in the same way needs no edit any more. */
export function compare(
  edits: Edits,
  storedAt: (place: Place) => Texts | undefined,
): { readonly open: Edits; readonly collisions: readonly Collision[] } {
  const compared = edits.map((edit) => ({ edit, theirs: storedAt(edit) }))
  const open = compared.filter(({ edit, theirs }) => !theirs || !sameTexts(theirs, edit.texts))
  return {
    open: open.map(({ edit }) => edit),
    collisions: open.filter(({ edit, theirs }) => !theirs || !sameTexts(theirs, edit.before)),
  }
}

/** The edits after a decision: mine stays, now based on their value; theirs drops the edit. */
export const decide = (edits: Edits, { edit, theirs }: Collision, keepMine: boolean): Edits =>
  edits.flatMap((one) => (isAt(edit)(one) ? (keepMine && theirs ? [{ ...one, before: theirs }] : []) : [one]))

/** The edits that are left when some have been saved: what was typed meanwhile stays, based on what was saved. */
export const afterSaving = (edits: Edits, saved: Edits): Edits =>
  edits.flatMap((one) => {
    const stored = editAt(saved, one)?.texts
    if (!stored) return [one]
    return sameTexts(stored, one.texts) ? [] : [{ ...one, before: stored }]
  })

/** The edits of each item, as messages are made from them. */
export function changesByItem(edits: Edits): ReadonlyMap<string, Changes> {
  const items = new Map<string, Map<string, Map<string, Texts>>>()
  for (const { item, key, locale, texts } of edits) {
    const ofItem = items.get(item) ?? new Map<string, Map<string, Texts>>()
    const ofKey = ofItem.get(key) ?? new Map<string, Texts>()
    items.set(item, ofItem.set(key, ofKey.set(locale, texts)))
  }
  return items
}
