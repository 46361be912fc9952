/**
 * Linearizability of a history, after Wing & Gong with the memoisation of Lowe: is there an order of the operations that
 * agrees with real time, and in which every outcome is what a correct system would have answered?
 *
 * An operation whose reply was lost may have taken effect at any time after its call, or never. It has no return, and
 * the search ends when all operations with a return are in order. Many lost replies would double the possible orders with
 * each of them. So of equal lost operations only the earliest is tried, which stands for all, and none that would change
 * nothing.
 */
export interface Operation<Input, Output> {
  readonly input: Input
  /** undefined: the reply was lost. */
  readonly output: Output | undefined
  readonly from: number
  /** Infinity if the reply was lost. */
  readonly to: number
}

export interface Model<State, Input, Output> {
  readonly initial: State
  /** The state afterwards; undefined if a correct system would not have answered so. A lost reply is a success. */
  step(state: State, input: Input, output: Output | undefined): State | undefined
  /** Equal for equal states. */
  key(state: State): string
  /** The same history with fewer differences; linearizable if and only if the other is. */
  simplify?(operations: readonly Operation<Input, Output>[]): readonly Operation<Input, Output>[]
}

/** A call or a return in a doubly linked list in the order of time. */
interface Entry<Input, Output> {
  readonly operation: Operation<Input, Output>
  readonly number: number
  readonly isCall: boolean
  match: Entry<Input, Output> | undefined
  previous: Entry<Input, Output> | undefined
  next: Entry<Input, Output> | undefined
}

/** Searches that visit more states end without a verdict. */
const mostSteps = 3_000_000

export type Verdict = 'linearizable' | 'not linearizable' | 'too many states'

export function checkLinear<State, Input, Output>(
  model: Model<State, Input, Output>,
  history: readonly Operation<Input, Output>[],
): Verdict {
  const operations = model.simplify?.(history) ?? history
  if (operations.length === 0) return 'linearizable'
  const twins = twinsOf(operations)
  const head = toList(operations)
  const visited = new Set<string>()
  const stack: { call: Entry<Input, Output>; state: State }[] = []
  let taken = 0n
  let state = model.initial
  let entry = head.next
  for (let steps = 0; hasReturn(head); steps++) {
    if (steps > mostSteps) return 'too many states'
    if (entry?.isCall) {
      const twin = twins.get(entry.operation)
      if (twin !== undefined && (taken & twin) === 0n) {
        entry = entry.next
        continue
      }
      const next = model.step(state, entry.operation.input, entry.operation.output)
      const after = taken | bitOf(entry)
      const isIdle = next !== undefined && entry.operation.to === Infinity && model.key(next) === model.key(state)
      if (next === undefined || isIdle || !isNew(visited, `${after.toString(36)} ${model.key(next)}`)) {
        entry = entry.next
        continue
      }
      stack.push({ call: entry, state })
      taken = after
      state = next
      lift(entry)
      entry = head.next
      continue
    }
    // A return whose call is not in the order yet, or the end of the list: the last choice was wrong.
    const last = stack.pop()
    if (!last) return 'not linearizable'
    state = last.state
    taken ^= bitOf(last.call)
    unlift(last.call)
    entry = last.call.next
  }
  return 'linearizable'
}

/** For each lost operation, the bit of the latest equal one before it. */
function twinsOf<Input, Output>(operations: readonly Operation<Input, Output>[]) {
  const latest = new Map<string, bigint>()
  const twins = new Map<Operation<Input, Output>, bigint>()
  const lost = operations
    .map((operation, number) => ({ operation, number }))
    .filter(({ operation: o }) => o.to === Infinity)
  for (const { operation, number } of lost.toSorted((a, b) => a.operation.from - b.operation.from)) {
    const key = JSON.stringify(operation.input)
    const before = latest.get(key)
    if (before !== undefined) twins.set(operation, before)
    latest.set(key, bitOf({ number }))
  }
  return twins
}

const bitOf = ({ number }: { number: number }) => 1n << BigInt(number)

/** Whether these operations have not led to this state before, in whatever order. */
function isNew(visited: Set<string>, key: string): boolean {
  if (visited.has(key)) return false
  visited.add(key)
  return true
}

function toList<Input, Output>(operations: readonly Operation<Input, Output>[]): Entry<Input, Output> {
  const entries = operations.flatMap((operation, number) => {
    const call: Entry<Input, Output> = entryOf(operation, number, true)
    if (operation.to === Infinity) return [{ at: operation.from, entry: call }]
    call.match = entryOf(operation, number, false)
    return [
      { at: operation.from, entry: call },
      { at: operation.to, entry: call.match },
    ]
  })
  // Of a call and a return at the same time the call is first: the operations count as concurrent.
  entries.sort((a, b) => a.at - b.at || Number(b.entry.isCall) - Number(a.entry.isCall))
  const head = entryOf<Input, Output>(operations[0]!, -1, true)
  let last = head
  for (const { entry } of entries) {
    last.next = entry
    entry.previous = last
    last = entry
  }
  return head
}

const entryOf = <Input, Output>(
  operation: Operation<Input, Output>,
  number: number,
  isCall: boolean,
): Entry<Input, Output> => ({
  operation,
  number,
  isCall,
  match: undefined,
  previous: undefined,
  next: undefined,
})

function hasReturn<Input, Output>(head: Entry<Input, Output>): boolean {
  for (let entry = head.next; entry; entry = entry.next) if (!entry.isCall || entry.match) return true
  return false
}

function remove<Input, Output>(entry: Entry<Input, Output>): void {
  entry.previous!.next = entry.next
  if (entry.next) entry.next.previous = entry.previous
}
function restore<Input, Output>(entry: Entry<Input, Output>): void {
  entry.previous!.next = entry
  if (entry.next) entry.next.previous = entry
}
function lift<Input, Output>(call: Entry<Input, Output>): void {
  remove(call)
  if (call.match) remove(call.match)
}
function unlift<Input, Output>(call: Entry<Input, Output>): void {
  if (call.match) restore(call.match)
  restore(call)
}
