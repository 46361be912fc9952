import { areas } from '@kontor/contract'
import { expect, test } from 'vitest'
import { systemTexts } from './system-texts.ts'

/** Areas that name what they do themselves. */
const own = new Set(['/api/v1/identity', '/api/v1/care'])

test('every command of administrators has words in the audit log', () => {
  const commands = Object.values(areas).flatMap(({ base, routes }) =>
    Object.entries(routes).flatMap(([name, { access, method }]) =>
      access === 'admin' && method !== 'GET' && !own.has(base) ? [`act_admin.${name}`] : [],
    ),
  )
  expect(commands).toContain('act_admin.replay')
  expect(commands.filter((key) => !Object.hasOwn(systemTexts.en, key))).toEqual([])
})
