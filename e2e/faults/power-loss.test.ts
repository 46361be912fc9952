/** A stored file survives a loss of power right after it was stored; with each seeded bug of the store it does not. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Plan } from './inject.ts'
import { losePower } from './loss.ts'

const [inject, program] = ['./inject.ts', './store-file.ts'].map((name) => new URL(name, import.meta.url)) as [URL, URL]

function storeAndLosePower(bug: string | undefined): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-power-'))
  const [data, journal] = [join(folder, 'data'), join(folder, 'journal')]
  mkdirSync(data)
  const plan: Plan = {
    ...(bug !== undefined && { bug }),
    disk: { folder: data, control: join(folder, 'none'), journal },
  }
  const { PATH = '' } = process.env
  execFileSync(process.execPath, ['--import', inject.href, fileURLToPath(program), join(data, 'blobs')], {
    env: { PATH, FAULTS: JSON.stringify(plan) },
  })
  losePower(journal)
  const stored = join(data, 'blobs', 'sha256')
  const files = existsSync(stored) ? readdirSync(stored, { recursive: true, withFileTypes: true }) : []
  const texts = files
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
  rmSync(folder, { recursive: true })
  return texts
}

test('a stored file survives', () => expect(storeAndLosePower(undefined)).toEqual(['acknowledged']))
test.each(['file-not-synced', 'folder-not-synced', 'new-folder-not-synced', 'root-not-synced'])(
  'with %s it is lost',
  (bug) => expect(storeAndLosePower(bug)).not.toEqual(['acknowledged']),
)
