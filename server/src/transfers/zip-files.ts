/** The files of a zip, and the names by which rows name them. */
import type { Zip } from './read/zip.ts'

/** Files below this folder are stored in the directory of the profile. */
export const below = 'media/'
/** Files below this folder have their path in the DAM. */
export const inPlace = 'assets/'

/** Paths are compared case-insensitively. */
export const keyOf = (path: string) => path.normalize('NFC').toLowerCase()

/** A file that a catalogue can name: not a folder, nor hidden, nor data at the top of the zip. */
export const isNamedFile = (entry: string) =>
  !/(^|\/)(\.|__MACOSX\/|Thumbs\.db$)/.test(entry) &&
  !entry.endsWith('/') &&
  !/^[^/]*\.(xml|csv|jsonl|xsd|dtd)$/i.test(entry)

/** Finds the name in cells of a file that a catalogue names: by its path, else by the end of it, else by its name. */
export function fileFinder(zip: Zip | undefined): (source: string) => string | undefined {
  const byEnd = new Map<string, string[]>()
  for (const entry of zip?.names.filter(isNamedFile) ?? []) {
    const name = entry.startsWith(inPlace) ? `/${entry.slice(inPlace.length)}` : entry.startsWith(below) ? entry.slice(below.length) : entry // prettier-ignore
    const segments = keyOf(entry).split('/')
    for (let from = 0; from < segments.length; from++) {
      const end = segments.slice(from).join('/')
      byEnd.set(end, [...(byEnd.get(end) ?? []), name])
    }
  }
  return (source) => {
    const path = keyOf(source.replaceAll('\\', '/').replace(/^(\.?\/)+/, ''))
    const ways = [path, path.slice(path.lastIndexOf('/') + 1)]
    const found = ways.flatMap((way) => byEnd.get(way) ?? [])[0]
    return found ?? (source.startsWith('/') ? source : undefined)
  }
}
