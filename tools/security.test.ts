/** SECURITY.md: every promise names a test that exists. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../', import.meta.url)
const rows = readFileSync(new URL('SECURITY.md', root), 'utf8')
  .split('\n')
  .map((line) => /^\| (.+?) +\| `(\S+\.test\.tsx?)` +\| (.+?) +\|$/.exec(line))
  .filter((row) => row !== null)

/** The name as a whole string literal of the file. */
const isNamed = (text: string, name: string) => ["'", '"', '`'].some((quote) => text.includes(quote + name + quote))

test('every promise of SECURITY.md names a test that exists', () => {
  expect(rows.length).toBeGreaterThan(30)
  const missing = rows.filter(([, , file, name]) => {
    const path = new URL(file!, root)
    return !existsSync(path) || !isNamed(readFileSync(path, 'utf8'), name!)
  })
  expect(missing.map(([, promise, file, name]) => `${promise}: no test "${name}" in ${file}`)).toEqual([])
})
