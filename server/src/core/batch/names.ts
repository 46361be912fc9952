/**
 * Names and tids from clients: normalised (NFC, trimmed) and limited in length, so that two names that look the same are the
 * same.
 *
 *   cleanName   a tid, or a name by which an object is found
 *   sentName    the name of an object in a message, before it is known whether the message changes it
 *   newName     the name of an object that is created or renamed
 *
 * The rules of a new name are stricter than those of earlier versions: an object that has such a name keeps it until it is
 * renamed.
 */
import { because } from '@kontor/contract'
import { Problem } from '../../errors.ts'

const maxName = 255
/** Control characters, and those that change the text direction. */
// oxlint-disable-next-line no-control-regex
const unseen = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/** As it is compared and stored. */
export const normalName = (name: string) => name.normalize('NFC').trim()

/** The normalised name. Throws a Problem about `what` if it is invalid. */
export function cleanName(what: string, name: string | undefined): string {
  const clean = normalName(name ?? '')
  if (clean === '') throw new Problem('invalid', because('missing', { field: what }))
  if (clean.length > maxName)
    throw new Problem('invalid', because('nameTooLong', { field: what, length: clean.length, max: maxName }))
  if (unseen.test(clean)) throw new Problem('invalid', because('nameControl', { field: what }))
  return clean
}

/** Characters without a width, which make two names look the same. */
const zeroWidth = /[\u061c\u180e\u200b-\u200d\u2060-\u2064\ufeff]/

/** The normalised name of a message. Throws a Problem about `what` if it cannot be a name. */
export function sentName(what: string, name: string | undefined): string {
  const clean = cleanName(what, name)
  if (name!.trim() !== name) throw new Problem('invalid', because('nameSpaces', { field: what, name: clean }))
  return clean
}

/** The name of an object that is created or renamed; `name` is normalised. Throws a Problem about `what` if it is refused. */
export function checkNewName(what: string, name: string): string {
  if (name === '.' || name === '..') throw new Problem('invalid', because('nameReserved', { field: what, name }))
  const hidden = name.search(zeroWidth)
  if (hidden >= 0) {
    const code = name.charCodeAt(hidden).toString(16).toUpperCase().padStart(4, '0')
    throw new Problem('invalid', because('nameInvisible', { field: what, code }))
  }
  return name
}

/** The name of an object after a message: the stored one if the message has none, or the same. */
export function newName(what: string, sent: string | undefined, stored?: string): string {
  if (stored !== undefined && (sent === undefined || sent.normalize('NFC').trim() === stored)) return stored
  return checkNewName(what, sentName(what, sent))
}

/** A new name that is part of a path. */
export function newSegment(what: string, sent: string | undefined, stored?: string): string {
  if (stored !== undefined && (sent === undefined || sent.normalize('NFC').trim() === stored)) return stored
  return cleanSegment(what, newName(what, sent))
}

/** The maximum number of levels of a tree: of keywords, nodes, directories and channels. */
export const maxLevels = 64

/** Throws a Problem if the path of an object of a tree has too many levels. */
export function checkLevels(path: string): void {
  const levels = path.split('/').length - 1
  if (levels > maxLevels)
    throw new Problem('invalid', `${path.slice(0, 100)}… is ${levels} levels deep; at most ${maxLevels} are allowed`)
}

/** A name that is part of a path, so it cannot contain the separator. */
export function cleanSegment(what: string, name: string | undefined): string {
  const clean = cleanName(what, name)
  if (clean.includes('/')) throw new Problem('invalid', because('nameSlash', { field: what, name: clean }))
  return clean
}

/** `Sea/Boats/`, `/Sea/Boats` -> `/Sea/Boats`; the root is the empty string. */
export function cleanPath(path: string): string {
  const segments = path
    .normalize('NFC')
    .split('/')
    .filter((segment) => segment !== '')
  return segments.map((segment) => `/${segment.trim()}`).join('')
}

export const parentPathOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

/** The path itself and all paths above it, longest first. */
export function* pathAndAbove(path: string): Generator<string> {
  for (let at = path; at !== ''; at = parentPathOf(at)) yield at
}

export const isWithin = (path: string, ancestor: string) => path === ancestor || path.startsWith(`${ancestor}/`)
