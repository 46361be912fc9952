import { expect, test } from 'vitest'
import { SearchBusy, TaskFailed } from '@kontor/search-engine'
import { orUnavailable } from './unavailable.ts'

test.each([
  ['too many wait', new SearchBusy(), 'too many searches are waiting'],
  ['a search takes too long, or ends its thread', new TaskFailed('it took longer than 30000 ms'), 'was aborted'],
])('when %s, the caller may come again', async (_, error, sentence) => {
  await expect(orUnavailable(Promise.reject(error))).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining(sentence),
    cause: error,
  })
})
test('other errors are passed on unchanged', async () => {
  await expect(orUnavailable(Promise.reject(new RangeError('no such field')))).rejects.toThrow(RangeError)
  expect(await orUnavailable(Promise.resolve(7))).toBe(7)
})
