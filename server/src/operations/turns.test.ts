import { describe, expect, test, vi } from 'vitest'
import { createPlaces, type Holder } from './places.ts'
import { createTurns } from './turns.ts'

const user = (name: string, share = 0.5): Holder => ({ kind: 'user', name, share })

describe('places', () => {
  /** Takes places until refused, and returns how many were taken. */
  const takeAll = (places: ReturnType<typeof createPlaces>, ...holders: Holder[]) => {
    for (let count = 0; ; count++) if ('by' in places.take(holders)) return count
  }

  test('each greedy user gets half of what the others leave, and a newcomer gets one', () => {
    const places = createPlaces(200)
    expect(['a', 'b', 'c', 'd'].map((name) => takeAll(places, user(name)))).toEqual([100, 50, 25, 13])
    expect(takeAll(places, user('e'))).toBe(6)
  })

  test('a user with a share of all can take all', () => {
    const places = createPlaces(3)
    expect(takeAll(places, user('a', 1))).toBe(3)
    expect(places.take([user('b')])).toEqual({ by: 'full', held: 0 })
    expect(places.take([user('a', 1)])).toEqual({ by: 'user', held: 3 })
  })

  test('a place counts for the address and for all anonymous callers', () => {
    const places = createPlaces(100)
    const from = (name: string): Holder[] => [
      { kind: 'address', name, share: 0.25 },
      { kind: 'anonymous', name: '', share: 0.5 },
    ]
    const counts = Array.from({ length: 10 }, (_, i) => takeAll(places, ...from(String(i))))
    expect(counts.reduce((sum, count) => sum + count)).toBe(50)
    expect(places.take(from('late'))).toEqual({ by: 'anonymous', held: 50 })
    expect(takeAll(places, user('a'))).toBe(25)
  })

  test('are free again once, however often they are released', () => {
    const places = createPlaces(2)
    const taken = places.take([user('a')])
    if ('by' in taken) throw new Error('refused')
    taken.release()
    taken.release()
    expect(places.taken()).toBe(0)
    expect(places.take([user('a')])).toMatchObject({ left: 0 })
    expect(places.taken()).toBe(1)
  })
})

describe('turns', () => {
  /** Callers whose requests run until they are ended. */
  function open() {
    const state = { busy: false, now: 0 }
    const turns = createTurns(
      () => state.busy,
      () => state.now,
    )
    const running = new Map<string, (() => void)[]>()
    const enter = (name: string, isBatch = false) => {
      const leave = turns.enter(name, isBatch, () => {
        running.set(name, [...(running.get(name) ?? []), () => leave()])
      })
      return leave
    }
    const endOne = (name: string) => running.get(name)!.shift()!()
    return { state, turns, enter, endOne, count: (name: string) => running.get(name)?.length ?? 0 }
  }
  const many = (count: number, work: () => unknown) => Array.from({ length: count }, work)

  test('six batches of a caller run together, so that its small requests need not wait for them', () => {
    const { enter, endOne, count, turns } = open()
    many(7, () => enter('erp', true))
    expect([count('erp'), turns.waiting()]).toEqual([6, 1])
    many(3, () => enter('erp'))
    expect([count('erp'), turns.waiting()]).toEqual([8, 2])
    endOne('erp') // a batch; the waiting batch is next
    expect([count('erp'), turns.waiting()]).toEqual([8, 1])
  })

  test('a caller with few requests never waits, not even on a busy server', () => {
    const { state, enter, turns } = open()
    state.busy = true
    enter('other')
    many(8, () => enter('a'))
    expect(turns.waiting()).toBe(0)
  })

  test('a caller with many runs eight of them, and the next when one ends', () => {
    const { enter, turns, endOne, count } = open()
    many(12, () => enter('a'))
    expect([count('a'), turns.waiting()]).toEqual([8, 4])
    endOne('a')
    expect([count('a'), turns.waiting()]).toEqual([8, 3])
  })

  test('on a busy server the queue of a caller moves one by one, with pauses, as long as others are there', () => {
    vi.useFakeTimers()
    const { state, enter, turns, endOne, count } = open()
    state.busy = true
    many(30, () => enter('greedy'))
    expect(count('greedy')).toBe(8)
    enter('other')
    expect(count('other')).toBe(1)
    state.now += 50
    many(8, () => endOne('greedy'))
    expect([count('greedy'), turns.waiting()]).toEqual([0, 22])
    vi.advanceTimersByTime(199)
    expect(count('greedy')).toBe(0)
    vi.advanceTimersByTime(1)
    expect([count('greedy'), turns.waiting()]).toEqual([1, 21])
    state.busy = false // it stays slow, so that the pace does not swing
    endOne('greedy')
    vi.advanceTimersByTime(1)
    expect([count('greedy'), turns.waiting()]).toEqual([1, 20])
    state.now += 1000
    endOne('greedy')
    vi.advanceTimersByTime(1000)
    expect([count('greedy'), turns.waiting()]).toEqual([8, 12])
    vi.useRealTimers()
  })

  test('a slowed caller is no longer slowed when the server stops', () => {
    const { state, enter, turns, count } = open()
    state.busy = true
    enter('other')
    many(30, () => enter('greedy'))
    enter('other')
    const slowed = count('greedy')
    expect(turns.waiting()).toBe(30 - slowed)
    turns.hurry()
    expect([count('greedy'), turns.waiting()]).toEqual([8, 22])
  })

  test('nobody is slowed when all have about as many requests', () => {
    const { state, enter, count } = open()
    state.busy = true
    for (const name of ['a', 'b', 'c']) many(20, () => enter(name))
    many(5, () => enter('a'))
    expect(['a', 'b', 'c'].map(count)).toEqual([8, 8, 8])
  })

  test('a request that leaves the queue does not start and frees nothing twice', () => {
    const { enter, turns, endOne, count } = open()
    const leave = many(10, () => enter('a')) as (() => void)[]
    leave[9]!()
    leave[9]!()
    expect(turns.waiting()).toBe(1)
    many(9, () => endOne('a'))
    expect([count('a'), turns.waiting()]).toEqual([0, 0])
    many(8, () => enter('a'))
    expect([count('a'), turns.waiting()]).toEqual([8, 0])
  })
})
