import { expect, test } from 'vitest'
import { checkLinear, type Operation } from './linear.ts'
import { lock, register, type RegisterInput, type RegisterOutput, treeOf } from './models.ts'
import { createRandom } from './random.ts'

type Op = Operation<RegisterInput, RegisterOutput>
const lost = Infinity
const ok = (value?: string): RegisterOutput => ({ ok: true, value })
const write = (from: number, to: number, value: string, isOk = true): Op => ({
  input: { op: 'write', value },
  output: to === lost ? undefined : { ok: isOk },
  from,
  to,
})
const read = (from: number, to: number, value?: string): Op => ({ input: { op: 'read' }, output: ok(value), from, to })
const swap = (from: number, to: number, expected: string, value: string, isOk = true): Op => ({
  input: { op: 'swap', expected, value },
  output: to === lost ? undefined : { ok: isOk },
  from,
  to,
})
const remove = (from: number, to: number, isOk = true): Op => ({
  input: { op: 'remove' },
  output: { ok: isOk },
  from,
  to,
})

test.each<[string, Op[]]>([
  ['a read before the first write', [read(0, 1), write(2, 3, 'a')]],
  ['concurrent writes in either order', [write(0, 5, 'a'), write(1, 4, 'b'), read(6, 7, 'a'), read(8, 9, 'a')]],
  ['a read during a write that sees it already', [write(0, 9, 'a'), read(1, 2, 'a')]],
  ['a lost write that took effect', [write(0, lost, 'a'), read(1, 2, 'a')]],
  ['a lost write that never took effect', [write(0, 1, 'a'), write(2, lost, 'b'), read(3, 4, 'a'), read(5, 6, 'a')]],
  ['a lost write that took effect late', [write(0, 1, 'a'), write(2, lost, 'b'), read(3, 4, 'a'), read(5, 6, 'b')]],
  [
    'a swap that lost to another',
    [write(0, 1, 'a'), swap(2, 5, 'a', 'b'), swap(3, 6, 'a', 'c', false), read(7, 8, 'b')],
  ],
  ['a refused write', [write(0, 1, 'a'), write(2, 3, 'b', false), read(4, 5, 'a')]],
  ['a removed object', [write(0, 1, 'a'), remove(2, 3), read(4, 5), remove(6, 7, false)]],
])('accepts %s', (_, history) => expect(checkLinear(register, history)).toBe('linearizable'))

test.each<[string, Op[]]>([
  ['an acknowledged write that is gone', [write(0, 1, 'a'), read(2, 3)]],
  ['a stale read', [write(0, 1, 'a'), write(2, 3, 'b'), read(4, 5, 'a')]],
  ['two reads in the wrong order', [write(0, 1, 'a'), write(2, 9, 'b'), read(3, 4, 'b'), read(5, 6, 'a')]],
  ['a refused write that is there', [write(0, 1, 'a'), write(2, 3, 'b', false), read(4, 5, 'b')]],
  ['a lost write that comes and goes', [write(0, 1, 'a'), write(2, lost, 'b'), read(3, 4, 'b'), read(5, 6, 'a')]],
  ['a value that nobody wrote', [write(0, 1, 'a'), read(2, 3, 'x')]],
  ['two swaps of one value (a lost update)', [write(0, 1, 'a'), swap(2, 5, 'a', 'b'), swap(3, 6, 'a', 'c')]],
  ['a swap refused without a reason', [write(0, 1, 'a'), swap(2, 3, 'a', 'b', false)]],
  ['a removed object that comes back', [write(0, 1, 'a'), remove(2, 3), read(4, 5, 'a')]],
])('refuses %s', (_, history) => expect(checkLinear(register, history)).toBe('not linearizable'))

test('a lock that two users hold at once is refused', () => {
  const take = (user: string, from: number, to: number, isOk = true) =>
    ({ input: { op: 'checkout', user }, output: { ok: isOk }, from, to }) as const
  expect(checkLinear(lock, [take('a', 0, 3), take('b', 1, 4, false)])).toBe('linearizable')
  expect(checkLinear(lock, [take('a', 0, 3), take('b', 1, 4)])).toBe('not linearizable')
})

test('crossing moves that make a cycle are refused, and so is a refused move that would have been right', () => {
  const tree = treeOf({ a: '', b: '' })
  const move = (node: string, to: string, isOk = true) =>
    ({ input: { op: 'move', node, to }, output: { ok: isOk }, from: 0, to: 9 }) as const
  expect(checkLinear(tree, [move('a', 'b'), move('b', 'a', false)])).toBe('linearizable')
  expect(checkLinear(tree, [move('a', 'b'), move('b', 'a')])).toBe('not linearizable')
  expect(checkLinear(tree, [move('a', 'b', false)])).toBe('not linearizable')
  const seen = { input: { op: 'read' }, output: { ok: true, parents: { a: '', b: 'a' } }, from: 10, to: 11 } as const
  expect(checkLinear(tree, [move('a', 'b'), seen])).toBe('not linearizable')
})

test('histories of a real register are accepted, and those with one changed read are refused', () => {
  const random = createRandom(7)
  for (let round = 0; round < 200; round++) {
    const history = simulate(random.below)
    expect(checkLinear(register, history)).toBe('linearizable')
    const reads = history.filter(({ input, output }) => input.op === 'read' && output?.value)
    if (reads.length === 0) continue
    const broken = history.map((one) => (one === reads.at(-1) ? { ...one, output: ok('nobody wrote this') } : one))
    expect(checkLinear(register, broken)).toBe('not linearizable')
  }
})

test('hundreds of lost replies are decided: nobody has seen most of their values', () => {
  const many = Array.from({ length: 300 }, (_, i) => write(i, lost, `lost ${i}`))
  const reads = Array.from({ length: 50 }, (_, i) => read(400 + 2 * i, 401 + 2 * i, i < 30 ? 'lost 7' : 'lost 250'))
  expect(checkLinear(register, [...many, ...reads])).toBe('linearizable')
  expect(checkLinear(register, [...many, ...reads, read(600, 601, 'lost 7')])).toBe('not linearizable')
})
test('lost moves of a tree are decided', () => {
  const nodes = ['a', 'b', 'c', 'd']
  const random = createRandom(3)
  const lostMoves = Array.from({ length: 8 }, (_, i) => {
    const input = { op: 'move', node: random.pick(nodes), to: random.pick(['', ...nodes]) } as const
    return { input, output: undefined, from: i, to: lost }
  })
  const seen = (parents: Record<string, string>) =>
    ({ input: { op: 'read' }, output: { ok: true, parents }, from: 20, to: 21 }) as const
  const initial = { a: '', b: '', c: '', d: '' }
  expect(checkLinear(treeOf(initial), [...lostMoves, seen(initial)])).toBe('linearizable')
  expect(checkLinear(treeOf(initial), [...lostMoves, seen({ ...initial, a: 'nowhere' })])).toBe('not linearizable')
})

/** Each operation takes effect at one moment between its call and its return. */
function simulate(below: (limit: number) => number): Op[] {
  let value = ''
  const times = Array.from({ length: 40 }, (_, i) => i * 10)
  return times.map((moment, i) => {
    const [from, to] = [moment - below(40), moment + 1 + below(40)]
    if (below(2) === 0) return read(from, to, value)
    const isLost = below(8) === 0
    const takesEffect = !isLost || below(2) === 0
    if (takesEffect) value = `v${i}`
    return write(from, isLost ? lost : to, `v${i}`)
  })
}

test('an acknowledged check-out that a later read does not find is refused', () => {
  const take = { input: { op: 'checkout', user: 'a' }, output: { ok: true }, from: 0, to: 1 } as const
  const read = (user: string) => ({ input: { op: 'read' }, output: { ok: true, user }, from: 2, to: 3 }) as const
  expect(checkLinear(lock, [take, read('a')])).toBe('linearizable')
  expect(checkLinear(lock, [take, read('')])).toBe('not linearizable')
})
