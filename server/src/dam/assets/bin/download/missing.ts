import type { ZipEntry } from '../../../../adapters/zip.ts'
import { Problem } from '../../../../errors.ts'

/** Collects files that were refused. Other errors end the zip, because it would look complete without them. */
export function createMissing() {
  const lines: string[] = []
  return {
    note: (path: string) => (error: unknown) => {
      if (!(error instanceof Problem) || error.kind === 'unavailable') throw error
      lines.push(`${path}: ${error.message}\n`)
    },
    *entries(): Generator<ZipEntry> {
      if (lines.length === 0) return
      async function* bytes() {
        yield* lines
      }
      yield { name: 'not-included.txt', bytes: bytes(), compress: true }
    },
  }
}
