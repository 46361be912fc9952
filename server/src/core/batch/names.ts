/**
 * Names and tids from clients: normalised (NFC, trimmed) and limited in length, so that two names that look the same are the
 * same.
 */
import { Problem } from '../../errors.ts'

const maxName = 255
/** Control characters, and those that change the text direction. */
// oxlint-disable-next-line no-control-regex
const unseen = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/** The normalised name. Throws a Problem about `what` if it is invalid. */
export function cleanName(what: string, name: string | undefined): string {
  const clean = (name ?? '').normalize('NFC').trim()
  if (clean === '') throw new Problem('invalid', `${what} is missing`)
  if (clean.length > maxName)
    throw new Problem('invalid', `${what} has ${clean.length} characters; at most ${maxName} are allowed`)
  if (unseen.test(clean)) throw new Problem('invalid', `${what} contains a control character; remove it`)
  return clean
}

/** A name that is part of a path, so it cannot contain the separator. */
export function cleanSegment(what: string, name: string | undefined): string {
  const clean = cleanName(what, name)
  if (clean.includes('/'))
    throw new Problem('invalid', `${what} "${clean}" contains /, which separates the names of a path`)
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
