import { expect, test } from 'vitest'
import { isOpen, toJobs } from './job-list.ts'

test('bulk messages, transfers and jobs of workflows form one list, newest first', () => {
  const jobs = toJobs(
    [
      {
        id: '1',
        resource: '/api/core/v1/pim/products',
        state: 'running',
        processed: 3,
        total: 9,
        startedAt: '2026-01-02',
      },
    ],
    [{ id: '2', name: 'prices.csv', state: 'paused', share: 0.5, createdAt: '2026-01-03' }],
    [
      { id: 3, name: 'Make previews', state: 'failed', problem: 'no such file', runAt: '2026-01-01' },
      { id: 4, job: 'setValue', state: 'done', runAt: '2025-12-31' },
    ],
  )
  expect(jobs.map(({ key }) => key)).toEqual(['transfer 2', 'bulk 1', 'workflow 3', 'workflow 4'])
  expect(jobs.map(({ command }) => command)).toEqual(['resume', undefined, 'retry', undefined])
  expect(jobs.map(isOpen)).toEqual([true, true, false, false])
  expect(jobs[1]).toMatchObject({ name: 'pim/products', done: 3, total: 9 })
})
