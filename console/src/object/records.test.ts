import { expect, test } from 'vitest'
import { accepted, Refused, valueFaultsOf } from './records.ts'

const success = { status: 'SUCCESS' as const, tid: 'a' }
const refusal = (description: string, key = 'attribute.title', value = 'Required') => ({
  status: 'ERROR' as const,
  description,
  details: { itm: [{ key, value }] },
})

test('a batch without refusals resolves to its records', async () => {
  expect(await accepted(Promise.resolve([success]))).toEqual([success])
})

test('a batch with refusals rejects with all reasons', async () => {
  const batch = Promise.resolve([success, refusal('no title'), refusal('too long')])
  await expect(accepted(batch)).rejects.toThrow('no title; too long')
})

test('the reasons of refused values are found by attribute, other details are left out', () => {
  const error = new Refused([refusal('x'), refusal('y', 'supportId', '7')])
  expect(valueFaultsOf(error)).toEqual(new Map([['title', 'Required']]))
  expect(valueFaultsOf(new Error('network'))).toEqual(new Map())
})

test('the reason of a refused value is said in the words of the console', () => {
  const itm = [
    { key: 'attribute.title', value: 'has no value, but is required at the node /Boats' },
    { key: 'reason.title', value: 'required' },
  ]
  const error = new Refused([{ status: 'ERROR', description: 'x', details: { itm } }])
  expect(valueFaultsOf(error)).toEqual(new Map([['title', 'Required']]))
})
